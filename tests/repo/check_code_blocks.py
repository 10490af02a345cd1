# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""Fails when a page shows C++ that no test compiles.

A block ```cpp with a main() is a whole program: tests/install compiles it if its page is listed there.
Any other block is an excerpt: its lines stand in one of the sources, one after the other; lines that are
only `…` or `// …` stand for what is left out. Indentation does not count.
"""

import re

from tree import CODE_FOLDERS, files_under, report

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"^\s*(?://\s*)?…\s*$")
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")


def stripped(text):
    """Its lines without indentation and without empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def fragments(block):
    """The parts of an excerpt between what is left out."""
    part = []
    for line in [*block.splitlines(), "…"]:
        if LEFT_OUT.match(line):
            if part:
                yield part
            part = []
        elif line.strip():
            part.append(line.strip())


def occurs(part, lines):
    n = len(part)
    return any(lines[i : i + n] == part for i, line in enumerate(lines) if line == part[0])


def check(root):
    """All errors of the tree `root`, as text."""
    sources = [stripped(f.read_text(encoding="utf-8")) for f in files_under(root, CODE_FOLDERS, ("*.h", "*.cpp"))]
    install = root / "tests/install/CMakeLists.txt"
    compiled = install.read_text(encoding="utf-8") if install.is_file() else ""
    pages = [root / name for name in PAGES if (root / name).is_file()]
    errors = []
    for page in [*pages, *files_under(root, ("docs", "examples"), ("*.md",))]:
        path = page.relative_to(root).as_posix()
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            if "int main(" in block[1]:
                if path not in compiled:
                    errors.append(f"{path}:{line}: a program that tests/install/CMakeLists.txt does not list")
                continue
            for part in fragments(block[1]):
                if not any(occurs(part, lines) for lines in sources):
                    errors.append(f"{path}:{line}: no source has these lines: {part[0]} …")
    return errors


if __name__ == "__main__":
    report(check)
