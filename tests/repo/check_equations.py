# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
r"""Fails when code cites an equation (`theory 3.5`) that docs/theory does not number.

There an equation has its number as \tag{3.5} or **(3.5)**; no number may be given twice.
"""

import re

from tree import CODE_FOLDERS, files_under, report

DEFINITION = re.compile(r"\\tag\{(\d+\.\d+)\}|\*\*\((\d+\.\d+)\)\*\*")
CITATION = re.compile(r"\btheory\s+\(?\d+\.\d+(?:\s*(?:,|;|and|or|to|–|-)\s*\d+\.\d+)*", re.IGNORECASE)
COMMENT_MARK = re.compile(r"^[ \t]*(?://[/!]?<?|\*)", re.MULTILINE)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def definitions(root):
    """The numbered equations, and the errors met among them."""
    found, errors = {}, []
    for file in files_under(root, ("docs/theory",), ("*.md",)):
        text = file.read_text(encoding="utf-8")
        for match in DEFINITION.finditer(text):
            number = match[1] or match[2]
            place = f"{file.relative_to(root).as_posix()}:{line_of(text, match.start())}"
            if number in found:
                errors.append(f"{place}: equation {number} is already at {found[number]}")
            found.setdefault(number, place)
    return found, errors


def citations(text):
    """Pairs of line and number for each equation that the text cites, also across comment lines."""
    text = COMMENT_MARK.sub(lambda mark: " " * len(mark[0]), text)
    for match in CITATION.finditer(text):
        for number in re.finditer(r"\d+\.\d+", match[0]):
            yield line_of(text, match.start() + number.start()), number[0]


def check(root):
    """All errors of the tree `root`, as text."""
    numbers, errors = definitions(root)
    for file in files_under(root, CODE_FOLDERS, ("*.h", "*.cpp", "*.cpp.in")):
        for line, number in citations(file.read_text(encoding="utf-8")):
            if number not in numbers:
                path = file.relative_to(root).as_posix()
                errors.append(f"{path}:{line}: cites theory {number}, which docs/theory does not have")
    return errors


if __name__ == "__main__":
    report(check)
