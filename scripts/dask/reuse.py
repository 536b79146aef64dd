"""Reuse distances of one stream as independent jobs on a Dask cluster.

Every part is a job of its own (`warpscope reuse --part K/OF`), and so is every merge of neighbours (`warpscope merge`):
a trace that is too large for one machine runs wherever Dask runs. All workers must see the folder of the parts.

    python scripts/dask/reuse.py FILE.u64 --parts 8                      a local cluster
    python scripts/dask/reuse.py FILE.u64 --parts 8 --scheduler tcp://…  a cluster that is there already

The report goes to stdout as JSON, the times of the jobs to stderr.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jobs import client_of, job


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="address stream")
    parser.add_argument("--parts", type=int, default=8, help="jobs that the stream is cut into")
    parser.add_argument("--workers", type=int, default=2, help="workers of the local cluster")
    parser.add_argument("--scheduler", help="address of a running scheduler; without it a local cluster is started")
    parser.add_argument("--program", default="warpscope", help="the command line program")
    parser.add_argument("--line-bytes", type=int, help="bytes of a line")
    parser.add_argument("--folder", type=Path, help="where the parts go; all workers must see it")
    parser.add_argument("--check", action="store_true", help="also analyse in one process, and fail unless equal")
    return parser.parse_args()


def part(program, file, lines, k, of, output):
    return job([program, "reuse", file, *lines, "--part", f"{k}/{of}", "-o", output]), output


def merge(program, left, right, output):
    seconds = job([program, "merge", left[1], right[1], "-o", output])
    Path(left[1]).unlink()
    Path(right[1]).unlink()
    return seconds, output


def analyse(client, given, folder):
    lines = ["--line-bytes", str(given.line_bytes)] if given.line_bytes else []
    stream = str(given.file.resolve())

    def submit(work, *rest):
        return client.submit(work, given.program, *rest, pure=False)

    parts = [
        submit(part, stream, lines, k, given.parts, str(folder / f"part-{k}.json"))
        for k in range(1, given.parts + 1)
    ]
    merges, level = [], parts
    while len(level) > 1:
        pairs = list(zip(level[::2], level[1::2]))
        merged = [
            submit(merge, left, right, str(folder / f"merged-{len(merges) + i}.json"))
            for i, (left, right) in enumerate(pairs)
        ]
        merges += merged
        level = merged + level[2 * len(pairs):]
    whole = level[0].result()[1]
    times = {"parts": [p.result()[0] for p in parts], "merges": [m.result()[0] for m in merges]}
    report = subprocess.run([given.program, "merge", whole, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(report.stdout), times


def main():
    given = arguments()
    with client_of(given) as client, tempfile.TemporaryDirectory(dir=given.folder) as folder:
        since = time.perf_counter()
        report, times = analyse(client, given, Path(folder))
        wall = time.perf_counter() - since
    report["seconds"] = wall
    slowest = max(times["parts"])
    print(f"{given.parts} parts: slowest {slowest:.2f} s, sum {sum(times['parts']):.2f} s", file=sys.stderr)
    print(f"{len(times['merges'])} merges: sum {sum(times['merges']):.2f} s; {wall:.2f} s in all", file=sys.stderr)
    json.dump(report, sys.stdout)
    print()
    if given.check:
        lines = ["--line-bytes", str(given.line_bytes)] if given.line_bytes else []
        command = [given.program, "reuse", str(given.file), *lines, "--format", "json"]
        alone = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        keys = ["accesses", "distinct", "histogram", "miss_ratio_curve"]
        unequal = [key for key in keys if alone[key] != report[key]]
        print(f"one process: {alone['seconds']:.2f} s; equal: {not unequal}", file=sys.stderr)
        sys.exit(1 if unequal else 0)


if __name__ == "__main__":
    main()
