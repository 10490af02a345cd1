# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""The packages of the viewer run with Node.js 18, which Debian has, and with 20."""
import json
import re
import sys
from pathlib import Path

LOCK = Path(__file__).resolve().parents[2] / "apps/viewer/package-lock.json"
VERSIONS = [(18, 20, 4), (20, 11, 0)]  # Debian's, and a long-term release


def version(text):
    return tuple((int(part) for part in (text.split(".") + ["0", "0"])[:3]))


def allows(condition, node):
    """Whether one condition, such as ">=18.0.0", "^18.0.0" or "18", holds."""
    match = re.fullmatch(r"(>=|>|<=|<|\^|~|)\s*v?([0-9][0-9.]*)(?:\.x)?", condition)
    if not match:
        return condition in ("*", "")
    sign, bound = match[1], version(match[2])
    if sign in ("^", "~", ""):
        return node[0] == bound[0] and node >= bound
    return {">=": node >= bound, ">": node > bound, "<=": node <= bound, "<": node < bound}[sign]


def allows_range(text, node):
    text = re.sub(r"(>=|>|<=|<|\^|~)\s+", r"\1", text)
    return any(all(allows(part, node) for part in either.split()) for either in text.split("||"))


def complaints(lock):
    for name, package in lock["packages"].items():
        wanted = package.get("engines", {}).get("node", "*")
        for node in VERSIONS:
            if not allows_range(wanted, node):
                yield f"{name} {package.get('version')} needs Node.js {wanted}, not {node}"


def main():
    assert not allows_range(">=19", VERSIONS[0]) and allows_range("^18.0.0 || >=20.0.0", VERSIONS[1])
    found = list(complaints(json.loads(LOCK.read_text())))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
