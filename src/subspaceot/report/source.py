"""Where the numbers of a report come from, and how to get them again."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from .. import __version__

_PACKAGES = ("numpy", "scipy", "POT")  # whose versions numbers may depend on, in their last digits


@dataclass(frozen=True, slots=True)
class Source:
    """How a report came about."""

    call: str  # the command, or Python code
    is_command: bool
    seed: int | None = None  # of everything that is random; None where it is not known
    weights: str | None = None  # which column they are; None where all rows weigh the same
    remarks: Sequence[str] = ()  # what was done with the data, in sentences
    rows_before: Sequence[int] = ()  # of each sample, before some were drawn at random

    @property
    def versions(self) -> list[tuple[str, str]]:
        """Name and version of what was used, the machine included."""
        found = [("subspaceot", __version__), ("Python", platform.python_version())]
        found += [(name, metadata.version(name)) for name in _PACKAGES]
        return [*found, ("system", f"{platform.system()} {platform.machine()}")]
