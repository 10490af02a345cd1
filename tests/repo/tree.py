# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""What the checks of the repository share: finding files, and reporting."""

import sys
from pathlib import Path

CODE_FOLDERS = ("backlash", "apps", "tests", "benchmarks", "examples")
OWN_ROOT = Path(__file__).resolve().parents[2]


def files_under(root, folders, patterns):
    """All files below root/folder that match one of the patterns, in a fixed order."""
    return sorted(
        path
        for folder in folders
        for pattern in patterns
        for path in (root / folder).rglob(pattern)
        if path.is_file()
    )


def report(check):
    """Runs check(root) on the repository (or the tree named as argument) and exits with 1 on errors."""
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else OWN_ROOT
    errors = check(root)
    for error in errors:
        print(error, file=sys.stderr)
    sys.exit(1 if errors else 0)
