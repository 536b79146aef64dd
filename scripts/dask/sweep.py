"""A sweep as independent jobs on a Dask cluster.

Every part of the points is a job of its own (`warpscope sweep --part K/OF`), and `warpscope merge` puts them together: a sweep
with thousands of points runs wherever Dask runs. All workers must see the files and the folder of the parts.

    python scripts/dask/sweep.py FILE… --vary ways=1,2,4,8 --vary mshrs=factors --parts 16      a local cluster
    python scripts/dask/sweep.py FILE… --vary … --scheduler tcp://…                           a cluster that is there already

The arguments that this script does not know go to `warpscope sweep`. The table goes to stdout, the times of the jobs to stderr.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jobs import client_of, job


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=int, default=8, help="jobs that the points are cut into")
    parser.add_argument("--workers", type=int, default=2, help="workers of the local cluster")
    parser.add_argument("--scheduler", help="address of a running scheduler; without it a local cluster is started")
    parser.add_argument("--program", default="warpscope", help="the command line program")
    parser.add_argument("--folder", type=Path, help="where the parts go; all workers must see it")
    parser.add_argument("--format", default="csv", choices=["csv", "json", "text"], help="format of the table")
    parser.add_argument("--check", action="store_true", help="also run in one process, and fail unless equal")
    return parser.parse_known_args()


def part(program, sweep, k, of, output):
    # A worker runs one job at a time, so a job has one thread.
    return job([program, "sweep", *sweep, "--threads", "1", "--part", f"{k}/{of}", "-o", output])


def main():
    given, sweep = arguments()
    with client_of(given) as client, tempfile.TemporaryDirectory(dir=given.folder) as folder:
        since = time.perf_counter()
        files = [str(Path(folder) / f"part-{k}.json") for k in range(1, given.parts + 1)]
        jobs = [
            client.submit(part, given.program, sweep, k, given.parts, file, pure=False)
            for k, file in enumerate(files, start=1)
        ]
        times = [done.result() for done in jobs]
        command = [given.program, "merge", *files, "--format", given.format]
        table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        wall = time.perf_counter() - since
    print(f"{given.parts} parts: slowest {max(times):.2f} s, sum {sum(times):.2f} s; {wall:.2f} s in all", file=sys.stderr)
    sys.stdout.write(table)
    if given.check:
        since = time.perf_counter()
        command = [given.program, "sweep", *sweep, "--format", given.format]
        alone = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        print(f"one process: {time.perf_counter() - since:.2f} s; equal: {alone == table}", file=sys.stderr)
        sys.exit(0 if alone == table else 1)


if __name__ == "__main__":
    main()
