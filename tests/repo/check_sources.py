# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""Fails on a source file without its two SPDX lines, or a header without `#pragma once`."""

from tree import CODE_FOLDERS, files_under, report

SPDX = ["SPDX-FileCopyrightText: The Backlash authors", "SPDX-License-Identifier: Apache-2.0"]
COMMENT = {".h": "// ", ".cpp": "// ", ".in": "// ", ".py": "# ", ".cmake": "# ", ".txt": "# "}
PATTERNS = ("*.h", "*.cpp", "*.cpp.in", "*.py", "*.cmake", "CMakeLists.txt")


def check(root):
    """All errors of the tree `root`, as text."""
    errors = []
    for file in files_under(root, CODE_FOLDERS, PATTERNS):
        path = file.relative_to(root).as_posix()
        lines = file.read_text(encoding="utf-8").splitlines()
        if lines[:2] != [COMMENT[file.suffix] + text for text in SPDX]:
            errors.append(f"{path}:1: does not open with the two SPDX lines")
        if file.suffix == ".h" and "#pragma once" not in lines:
            errors.append(f"{path}:1: has no #pragma once")
    return errors


if __name__ == "__main__":
    report(check)
