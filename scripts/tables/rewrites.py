#!/usr/bin/env python3
"""Compiles the rewritten texts of the library's placements and other changes with NVIDIA's compiler.

    python3 scripts/tables/rewrites.py           writes the texts with the test `rewrite` and compiles them
    python3 scripts/tables/rewrites.py FOLDER    compiles the texts of a folder

The last line is the number of texts that compile, and of all. The script needs no GPU. The compiler comes from PyPI, as for
scripts/tables/sass.py.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import sass  # noqa: E402


def instances(text):
    """The instances of templates that the launch comments start."""
    return re.findall(r"^// launch: (\w+<[^\n]*?>)<<<", text, flags=re.M)


def compiled(folder):
    """The number of texts in a folder that compile, and of all. The faults of the others are printed."""
    compiler, good, texts = sass.Compiler(), 0, sorted(Path(folder).glob("*.cu"))
    for path in texts:
        text = path.read_text()
        try:
            compiler.cubin(text, path.name, sass.macros(text), instances=instances(text))
            good += 1
        except SystemExit as fault:
            print(fault, file=sys.stderr)
    return good, len(texts)


def main(arguments):
    if arguments:
        good, all_texts = compiled(arguments[0])
    else:
        with tempfile.TemporaryDirectory() as folder:
            command = ["cargo", "test", "--locked", "-q", "-p", "cuda-vm", "--test", "suite", "--", "every_move", "other_changes"]
            subprocess.run(command, env={**os.environ, "WRITE_REWRITES": folder}, cwd=sass.ROOT, check=True)
            good, all_texts = compiled(folder)
    print(f"{good} of {all_texts} compile")
    if good < all_texts or not all_texts:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
