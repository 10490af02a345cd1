# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""Fails when ARCHITECTURE.md and the tree disagree.

What the map names in backticks must exist, unless its line says "to come"; what exists must be named.
A folder without a file counts as absent, as it does in a fresh clone.
"""

import re

from check_layers import LAYER_OF
from tree import report

MAPPED = ("backlash", "apps", "tests", "docs")
NAMED = re.compile(r"`((?:backlash|apps|examples|tests|benchmarks|docs|scripts|cmake|\.ci)/[\w./-]*)`")


def exists(path):
    if path.is_dir():
        return any(p.is_file() and "__pycache__" not in p.parts for p in path.rglob("*"))
    return path.is_file()


def expected_names(root):
    """The folders and scripts that the map must name."""
    for parent in MAPPED:
        for path in sorted((root / parent).glob("*")):
            if path.is_dir() and path.name != "__pycache__" and exists(path):
                yield f"{parent}/{path.name}/"
    for path in sorted((root / "scripts").glob("*")):
        yield f"scripts/{path.name}"


def check(root):
    """All errors of the tree `root`, as text."""
    errors, named = [], set()
    lines = (root / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        to_come = "to come" in line
        for name in NAMED.findall(line):
            named.add(name)
            if to_come and exists(root / name):
                errors.append(f"ARCHITECTURE.md:{number}: {name} is there now; drop 'to come'")
            if not to_come and not exists(root / name):
                errors.append(f"ARCHITECTURE.md:{number}: {name} does not exist (or is empty)")
    errors += [f"ARCHITECTURE.md: does not name {n}" for n in expected_names(root) if n not in named]
    layers = [f"backlash/{folder}/" for folder in LAYER_OF]
    errors += [f"ARCHITECTURE.md: does not name the layer folder {n}" for n in layers if n not in named]
    return errors


if __name__ == "__main__":
    report(check)
