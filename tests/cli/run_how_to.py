# SPDX-FileCopyrightText: The Backlash authors
# SPDX-License-Identifier: Apache-2.0
"""Runs every command of docs/how-to with the program, and every model that stands there.

    run_how_to.py PROGRAM [PAGE]...

A command is what begins with `backlash ` in a block of code or between backticks. Those of a page
run one after the other, in a folder that has the page's model under the names that commands give
it, the example `slider_crank` as model.yaml where a page has no model of its own, and a folder
`results` of a run of it.
"""

import math
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = os.path.join(TREE, "docs", "how-to")
EXAMPLE = os.path.join(TREE, "examples", "slider_crank", "model.yaml")

# What the text of a page says that a command prints, beside what stands in the page's block.
SAID = {
    "cam-from-measured-points.md": {
        "check cam.yaml": [r"made from 360 points of 'measured\.csv', the largest deviation is "
                           r"[0-9.e-]+ m"],
    },
    "choose-a-step.md": {
        "check model.yaml": ["fastest free motion"],
        "run model.yaml": ["energy balance"],
        "converge model.yaml": ["step", "error"],
    },
    "design-a-cam.md": {"cam valve.yaml": ["lifts off"]},
    "friction-that-holds.md": {"run examples/block_on_incline": ["peak contact force"]},
    "is-the-answer-right.md": {"check model.yaml": ["0 errors"]},
}


# Its command is for a program with the method that the page adds.
NOT_RUN = {"backlash run model.yaml --method euler --step '50 us'"}


class Trouble(Exception):
    pass


def yaml_blocks(page):
    return re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S)


def commands(page):
    """Each with the lines that the page shows below it."""
    text = re.sub(r"^```yaml\n.*?^```", "", page, flags=re.M | re.S)
    found = []
    fenced = False
    lines = text.splitlines()
    for i, line in enumerate(lines):
        fenced ^= line.startswith("```")
        block = re.match(r"^(\s{4,})(\$ )?(backlash .*)$", line) or (
            fenced and re.match(r"^()(\$ )?(backlash .*)$", line))
        if block:
            shown = []
            for below in lines[i + 1:] if block.group(2) else []:
                if not below.startswith(block.group(1)):
                    break
                shown.append(below[len(block.group(1)):])
            found.append((block.group(3), shown))
        elif not fenced:
            found += [(c, []) for c in re.findall(r"`(backlash [^`]*)`", line)]
    return found


def measured_cam(path):
    """360 points around a cam of 20 to 24 mm, measured with 2 um of noise."""
    noise = random.Random(1)
    with open(path, "w", encoding="utf-8") as file:
        for i in range(360):
            angle = 2 * math.pi * i / 360
            radius = 22 - 2 * math.cos(angle) + noise.gauss(0, 2e-3)
            file.write(f"{radius * math.cos(angle):.4f}, {radius * math.sin(angle):.4f}\n")


def prepare(page, folder):
    def write(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    with open(EXAMPLE, encoding="utf-8") as file:
        example = file.read()
    models = [b for b in yaml_blocks(page) if b.startswith("backlash: 1")]
    for i, block in enumerate(yaml_blocks(page)):  # parts of a model go into the example
        if block.startswith("backlash: 1"):
            continue
        section = block.split(":", 1)[0]
        rest = re.sub(rf"^{section}:.*?(?=^\S|\Z)", "", example, flags=re.M | re.S)
        write(f"part{i}.yaml", rest + "\n" + block)
    for name in ("model.yaml", "cam.yaml", "four_bar.yaml", "valve.yaml"):
        write(name, models[0] if models else example)
    measured_cam(os.path.join(folder, "measured.csv"))
    shutil.copytree(os.path.join(TREE, "examples"), os.path.join(folder, "examples"))
    shutil.copy(os.path.join(TREE, "tests", "data", "fclib", "fclib-pucks-triplets.hdf5"),
                os.path.join(folder, "problem.hdf5"))


def call(program, arguments, folder):
    done = subprocess.run([program] + arguments, cwd=folder, capture_output=True, text=True,
                          timeout=600, env=dict(os.environ, NO_COLOR="1"))
    if done.returncode != 0:
        raise Trouble(f"exit code {done.returncode}: {done.stderr.strip() or done.stdout[-500:]}")
    return done.stdout + done.stderr


def run_command(program, command, shown, said, folder):
    arguments = shlex.split(command, comments=True)[1:]
    if len(arguments) == 1 and arguments[0] in ("run", "check", "report", "plot", "compare",
                                                "converge", "equilibrium", "cam", "solve"):
        return call(program, ["help", arguments[0]], folder)  # named, not called
    if "MODEL" in arguments:
        arguments[arguments.index("MODEL")] = "model.yaml"
    output = call(program, arguments, folder)
    for line in shown:
        if line.strip() not in output:
            raise Trouble(f"does not say '{line.strip()}', but:\n{output}")
    for begin, patterns in said.items():
        for pattern in patterns if " ".join(arguments).startswith(begin) else []:
            if not re.search(pattern, output):
                raise Trouble(f"says nothing of '{pattern}', but:\n{output}")
    return output


def check_page(program, name):
    with open(os.path.join(PAGES, name), encoding="utf-8") as file:
        page = file.read()
    said = dict(SAID.get(name, {}))
    troubles, ran = [], 0
    with tempfile.TemporaryDirectory() as folder:
        prepare(page, folder)
        todo = [(f"backlash check part{i}.yaml", [])
                for i, block in enumerate(yaml_blocks(page)) if not block.startswith("backlash: 1")]
        if any(block.startswith("backlash: 1") for block in yaml_blocks(page)):
            todo += [("backlash check model.yaml", []), ("backlash run model.yaml -o own", [])]
        if commands(page):
            call(program, ["run", EXAMPLE, "-q", "-o", "results"], folder)
        for command, shown in todo + commands(page):
            if command in NOT_RUN:
                continue
            ran += 1
            if re.search(r"-o results\b", command):
                shutil.rmtree(os.path.join(folder, "results"), ignore_errors=True)
            try:
                run_command(program, command, shown, said, folder)
            except Trouble as trouble:
                troubles.append(f"{name}: {command}\n    {trouble}")
    for begin in said:
        if not any(" ".join(shlex.split(c, comments=True)[1:]).startswith(begin)
                   for c, _ in todo + commands(page)):
            troubles.append(f"{name}: no command begins with '{begin}'")
    return ran, troubles


def main():
    program = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or sorted(n for n in os.listdir(PAGES) if n.endswith(".md"))
    troubles, ran = [], 0
    for name in names:
        more, found = check_page(program, name)
        ran += more
        troubles += found
    print("\n".join(troubles) or f"{ran} commands of {len(names)} pages do what they say")
    return 1 if troubles or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
