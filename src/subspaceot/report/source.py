"""Where the numbers of a report come from, and how to get them again."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from .. import __version__
from ..runtime.lines import count
from ..runtime.printable import printable

_NAMED = 40  # columns that are named
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


def data_in_words(columns: Sequence[str], unit: str, weighing: str) -> list[str]:
    """Return in sentences what was done with the columns and rows of tables."""
    more = f" and {len(columns) - _NAMED} more" if len(columns) > _NAMED else ""
    named = ", ".join(map(printable, columns[:_NAMED]))
    if unit == "standard deviations":
        scaling = (
            "Each column was divided by its standard deviation over all samples, so that all of them count alike "
            "whatever their units are."
        )
    else:
        scaling = (
            "Columns were compared as they came, in their own units: one whose numbers spread farther counts for more."
        )
    return [
        f"{count(len(columns), 'column')} compared: {named}{more}.",
        scaling,
        weighing,
        "No value that was compared is missing.",
    ]
