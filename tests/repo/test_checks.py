# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""The checks of the repository accept a right tree and refuse a wrong one."""

import tempfile
import unittest
from pathlib import Path

import check_code_blocks
import check_equations
import check_layers
import check_map
import check_sources

SPDX = "// SPDX-FileCopyrightText: The Backlash authors\n// SPDX-License-Identifier: Apache-2.0\n"


def errors_of(check, files):
    """The errors that `check` finds in a temporary tree with these files (path: text)."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return check(Path(folder))


class Layers(unittest.TestCase):
    def errors(self, path, include):
        return errors_of(check_layers.check, {path: f"\n#include {include}\n"})

    def accepts(self, path, include):
        self.assertEqual(self.errors(path, include), [])

    def refuses(self, path, include, reason):
        errors = self.errors(path, include)
        self.assertEqual(len(errors), 1, errors)
        self.assertIn(f"{path}:2:", errors[0])
        self.assertIn(reason, errors[0])

    def test_a_higher_layer_includes_a_lower_one(self):
        self.accepts("backlash/solvers/a.cpp", '"backlash/laws/b.h"')
        self.accepts("backlash/solvers/a.cpp", '"backlash/solvers/b.h"')
        self.accepts("apps/cli/a.cpp", '"backlash/study/b.h"')

    def test_a_lower_layer_does_not_include_a_higher_one(self):
        self.refuses("backlash/laws/a.h", '"backlash/solvers/b.h"', "lies below")
        self.refuses("backlash/laws/a.h", "<backlash/solvers/b.h>", "lies below")
        self.refuses("backlash/laws/deep/a.h", '"backlash/solvers/b.h"', "lies below")
        self.refuses("backlash/base/a.h", '"apps/cli/b.h"', "nothing else")
        self.refuses("backlash/base/a.h", '"support/b.h"', "nothing else")
        self.refuses("backlash/base/a.h", '"b.h"', "nothing else")
        self.refuses("apps/cli/a.cpp", '"support/b.h"', "no test code")

    def test_folders_of_one_layer_do_not_know_each_other(self):
        self.refuses("backlash/geometry/a.h", '"backlash/laws/b.h"', "do not know each other")

    def test_a_folder_that_is_in_no_layer_is_refused(self):
        self.refuses("backlash/base/a.h", '"backlash/misc/b.h"', "no folder of the layers")
        self.assertEqual(len(errors_of(check_layers.check, {"backlash/misc/a.h": ""})), 1)
        self.assertEqual(len(errors_of(check_layers.check, {"backlash/a.h": ""})), 1)

    def test_third_party_headers_stay_in_their_folder(self):
        for path, include in (
            ("backlash/io/a.cpp", "<hdf5.h>"),
            ("backlash/io/a.cpp", "<nlohmann/json.hpp>"),
            ("backlash/io/a.cpp", "<yaml-cpp/parser.h>"),
            ("apps/cli/a.cpp", "<CLI/CLI.hpp>"),
            ("apps/cli/a.cpp", "<nlohmann/json.hpp>"),
            ("backlash/base/a.h", "<Eigen/Core>"),
            ("backlash/base/a.h", "<fmt/format.h>"),
            ("backlash/base/a.h", "<vector>"),
        ):
            self.accepts(path, include)
        self.refuses("backlash/solvers/a.cpp", "<hdf5.h>", "belongs to backlash/io/ alone")
        self.refuses("apps/cli/a.cpp", "<H5Fpublic.h>", "belongs to backlash/io/ alone")
        self.refuses("backlash/io/a.cpp", "<CLI/CLI.hpp>", "belongs to apps/cli/ alone")
        self.refuses("backlash/model/a.cpp", "<nlohmann/json.hpp>", "alone")
        self.refuses("backlash/model/a.cpp", "<yaml-cpp/yaml.h>", "alone")
        self.refuses("backlash/base/a.cpp", "<boost/any.hpp>", "no folder")

    def test_physics_does_no_input_or_output(self):
        self.refuses("backlash/integrators/a.cpp", "<iostream>", "no input, output or clock")
        self.accepts("backlash/results/a.cpp", "<fstream>")


class Sources(unittest.TestCase):
    def test_spdx_lines_and_pragma_once(self):
        right = {"backlash/base/a.h": SPDX + "\n#pragma once\n", "apps/cli/b.cpp": SPDX}
        self.assertEqual(errors_of(check_sources.check, right), [])

    def test_missing_lines_are_found(self):
        self.assertEqual(len(errors_of(check_sources.check, {"backlash/base/a.h": SPDX})), 1)
        self.assertEqual(len(errors_of(check_sources.check, {"tests/unit/a.cpp": "\n" + SPDX})), 1)
        self.assertEqual(len(errors_of(check_sources.check, {"benchmarks/a.cpp": ""})), 1)


class Equations(unittest.TestCase):
    theory = "$$ a = b \\tag{3.5} $$\n**(3.6)** c = d\n"

    def errors(self, code, theory=theory):
        files = {"docs/theory/3-laws.md": theory, "backlash/laws/a.h": code}
        return errors_of(check_equations.check, files)

    def test_numbers_that_exist_may_be_cited(self):
        self.assertEqual(self.errors("/// The law (theory 3.5).\n"), [])
        self.assertEqual(self.errors("/// [Moreau 1988; theory 3.5, 3.6]\n"), [])
        self.assertEqual(self.errors("double x = 3.7;  // in theory, 3.7 is no citation\n"), [])

    def test_numbers_that_do_not_exist_are_refused(self):
        self.assertIn("a.h:1: cites theory 3.7", self.errors("/// (theory 3.7)\n")[0])
        self.assertIn("cites theory 3.50", self.errors("/// (theory 3.50)\n")[0])
        self.assertIn("cites theory 3.9", self.errors("/// (theory 3.5 and 3.9)\n")[0])
        self.assertIn("a.h:2: cites theory 4.1", self.errors("/// as in theory\n/// 4.1\n")[0])

    def test_a_number_is_given_once(self):
        self.assertIn("already", self.errors("", self.theory + "\\tag{3.6}\n")[0])


class CodeBlocks(unittest.TestCase):
    def errors(self, block):
        files = {
            "docs/how-to/a.md": f"Text\n\n```cpp\n{block}\n```\n",
            "docs/how-to/listed.md": "```cpp\nint main() {}\n```\n",
            "tests/install/CMakeLists.txt": "docs/how-to/listed.md",
            "tests/unit/a.cpp": "int a();\n\nvoid f() {\n  a();\n  b();\n}\n",
        }
        return errors_of(check_code_blocks.check, files)

    def test_excerpts_of_sources_are_accepted(self):
        self.assertEqual(self.errors("int a();"), [])
        self.assertEqual(self.errors("  void f() {\n    a();\n    …\n  }"), [])
        self.assertEqual(self.errors("int a();\n// …\nb();"), [])

    def test_code_that_no_source_has_is_refused(self):
        self.assertIn("a.md:3: no source", self.errors("int c();")[0])
        self.assertIn("no source", self.errors("int a();\nb();")[0])

    def test_a_program_that_is_not_compiled_is_refused(self):
        self.assertIn("does not list", self.errors("int main() {}")[0])


class Map(unittest.TestCase):
    layers = "".join(f"`backlash/{f}/` to come\n" for f in check_layers.LAYER_OF if f != "base")
    tree = {"backlash/base/a.h": "", "scripts/test": ""}
    text = "`backlash/base/` `scripts/test`\n" + layers

    def errors(self, text, more=()):
        return errors_of(check_map.check, {**self.tree, **dict(more), "ARCHITECTURE.md": text})

    def test_a_map_that_fits_is_accepted(self):
        self.assertEqual(self.errors(self.text), [])

    def test_what_the_map_names_must_exist(self):
        self.assertIn("does not exist", self.errors(self.text + "`docs/theory/`\n")[0])

    def test_what_exists_must_be_named(self):
        self.assertIn("tests/unit/", self.errors(self.text, {"tests/unit/a.cpp": ""}.items())[0])
        self.assertIn("scripts/demo", self.errors(self.text, {"scripts/demo": ""}.items())[0])

    def test_what_is_to_come_must_be_absent(self):
        self.assertIn("is there now", self.errors(self.text, {"backlash/io/a.h": ""}.items())[0])


if __name__ == "__main__":
    unittest.main()
