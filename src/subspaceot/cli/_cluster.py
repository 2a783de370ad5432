"""A Dask cluster that is running somewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from ._errors import BadInput

_TIMEOUT = "10s"  # until it must have answered


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Make the cluster at an address the one that reads files; nothing for None."""
    if address is None:
        yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise BadInput("--scheduler needs Dask. Install it with: pip install 'subspaceot[data]'") from error
    try:
        client = Client(address, timeout=_TIMEOUT)
    except (OSError, ValueError) as error:
        raise BadInput(f"--scheduler {address!r} does not answer: {error}. Check the address.") from error
    with client:
        yield
