"""What an experiment is: settings, a function that makes rows of them, and what to read from the rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from ..result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row: TypeAlias = dict[str, Any]
Table: TypeAlias = Any  # a pandas DataFrame: one line per row


class Config(Protocol):
    """The settings of a run, all of them: with the seed they decide every row."""

    @property
    def repeats(self) -> int:
        """How many times everything is drawn again."""

    def settings(self) -> Sequence[Any]:
        """Return what varies within one repeat, in the order of the rows."""


@dataclass(frozen=True)
class Experiment:
    """One experiment of the paper."""

    name: str
    shows: str  # one line for the list of experiments
    claim: str  # what the paper says, in our words
    differs: str  # how our run differs from the paper's
    presets: Mapping[str, Any]  # name -> Config
    solve: Callable[[Any, Any, int], list[Row]]  # (config, setting, seed) -> the rows of one task, at least one
    plots: Mapping[str, Callable[[Table], "Figure | Axes"]]  # name of the picture -> how it is drawn
    finding: Callable[[Table], str]
    alone: bool = False  # whether a task must have the machine for itself, because it is timed


def bounds(result: Result) -> Row:
    """Return the columns that every solve has: k, the certified interval of S_k^2, and why the solve stopped."""
    return {"k": result.k, "lower": result.lower, "upper": result.upper, "status": result.status.name}


def middle(rows: Table) -> Any:
    """Return the middle of each row's interval."""
    return 0.5 * (rows["lower"] + rows["upper"])
