"""What the scripts share: a command as a job, and the cluster that it runs on."""

import subprocess
import time
from contextlib import contextmanager

from dask.distributed import Client, LocalCluster


def job(command):
    """Runs one command on a worker; its time in seconds."""
    since = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return time.perf_counter() - since


@contextmanager
def client_of(given):
    """A client of the scheduler that the arguments name, or of a cluster on this machine."""
    cluster = None if given.scheduler else LocalCluster(
        n_workers=given.workers, threads_per_worker=1, processes=True, dashboard_address=None
    )
    try:
        with Client(given.scheduler or cluster) as client:
            # Workers on other machines do not have this file.
            client.upload_file(__file__)
            yield client
    finally:
        if cluster:
            cluster.close()
