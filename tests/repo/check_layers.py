# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include that goes against the layers, or a header used outside the layer that owns it."""

import re

from tree import files_under, report

# Lowest first. A folder includes itself and folders of lower layers; folders of one layer do not
# know each other; the apps come last.
LAYERS = (
    ("base",),
    ("geometry", "laws"),
    ("solvers", "model"),
    ("dynamics",),
    ("integrators", "scene"),
    ("results", "check"),
    ("run",),
    ("io", "draw"),
    ("study", "report"),
)
LAYER_OF = {folder: number for number, layer in enumerate(LAYERS, 1) for folder in layer}

# Third-party headers, and the folders whose sources may include them ("" is everywhere).
OWNERS = (
    (r"Eigen/", ("",)),
    (r"unsupported/Eigen/", ("",)),
    (r"fmt/", ("",)),
    (r"hdf5(_hl)?\.h$|H5\w+\.h$", ("backlash/io/",)),
    (r"(cvode|nvector|sundials|sunlinsol|sunmatrix|sunnonlinsol)/", ("backlash/integrators/compliant/",)),
    (r"\w+\.hxx$", ("backlash/io/step/",)),
    (r"IpStdCInterface\.h$|nlopt\.h$", ("backlash/integrators/optimisation/",)),
    (r"nlohmann/", ("apps/", "backlash/io/", "backlash/report/")),
    (r"zlib\.h$", ("backlash/report/",)),
    (r"yaml-cpp/", ("backlash/io/",)),
    (r"CLI/", ("apps/cli/",)),
    (r"librsvg/|cairo\.h$", ("apps/cli/png_",)),
    (r"(sys/\w+|unistd|dlfcn|fcntl|signal|termios)\.h$", ("apps/", "backlash/io/")),
)
# Physics does no input or output and looks at no clock: these begin with the results.
OUTSIDE_WORLD = {"iostream", "fstream", "cstdio", "filesystem", "chrono", "fmt/ostream.h"}
FIRST_LAYER_THAT_MAY_SEE_THE_WORLD = LAYER_OF["results"]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_error(path, header):
    """Why `path` (in backlash/) may not include the project header `header`, or None."""
    here, there = path.split("/")[1], header.split("/")[1]
    if there not in LAYER_OF:
        return f"backlash/{there} is no folder of the layers"
    if there == here or LAYER_OF[there] < LAYER_OF[here]:
        return None
    if LAYER_OF[there] == LAYER_OF[here]:
        return f"{here} and {there} are of the same layer ({LAYER_OF[here]}) and do not know each other"
    return f"{here} (layer {LAYER_OF[here]}) lies below {there} (layer {LAYER_OF[there]})"


def third_party_error(path, header):
    """Why `path` may not include the header `header` of the system, or None."""
    for pattern, folders in OWNERS:
        if re.match(pattern, header):
            allowed = any(path.startswith(folder) for folder in folders)
            return None if allowed else f"<{header}> belongs to {' and '.join(folders)} alone"
    if re.search(r"[./]", header):
        return f"<{header}> is a header that tests/repo/check_layers.py gives to no folder"
    return None


def include_error(path, quote, header):
    """Why the file `path` may not have this include, or None."""
    if header.startswith("backlash/"):
        return layer_error(path, header) if path.startswith("backlash/") else None
    if path.startswith("apps/") and quote == '"':
        return "a program uses no test code" if header.startswith(("tests/", "support/")) else None
    if quote == '"':
        return 'write "backlash/<folder>/<file>.h"; the library uses nothing else of the repository'
    if path.startswith("backlash/") and header in OUTSIDE_WORLD:
        if LAYER_OF[path.split("/")[1]] < FIRST_LAYER_THAT_MAY_SEE_THE_WORLD:
            return f"<{header}>: no input, output or clock below backlash/results"
    return third_party_error(path, header)


def check(root):
    """All errors of the tree `root`, as text."""
    errors = []
    for file in files_under(root, ("backlash", "apps"), ("*.h", "*.cpp", "*.cpp.in")):
        path = file.relative_to(root).as_posix()
        if path.startswith("backlash/") and path.split("/")[1] not in LAYER_OF:
            errors.append(f"{path}: lies in no folder of the layers")
            continue
        text = file.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            error = include_error(path, *match.groups())
            if error:
                line = text.count("\n", 0, match.start()) + 1
                errors.append(f"{path}:{line}: includes {match[2]}: {error}")
    return errors


if __name__ == "__main__":
    report(check)
