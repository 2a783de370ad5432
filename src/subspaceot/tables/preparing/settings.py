"""How tables are prepared."""

from collections.abc import Iterator
from dataclasses import dataclass

MISSING = ("drop", "error", "mean", "median")
SCALES = ("standard",)


@dataclass(frozen=True, slots=True)
class Settings:
    """One field per choice, each valid."""

    weights: str | None = None
    units: str | None = None
    strata: str | None = None
    group: str | None = None  # the column that has split one table
    ignore: tuple[str, ...] = ()
    scale: str | None = None
    missing: str = "error"
    encode: bool | tuple[str, ...] = False  # all columns of categories, or those named

    @property
    def labels(self) -> dict[str, str]:
        """Columns of labels by what they are for."""
        given = {"units": self.units, "strata": self.strata}
        return {purpose: column for purpose, column in given.items() if column is not None}

    @property
    def aside(self) -> set[str]:
        """Columns that are no features."""
        return {name for name in (self.weights, self.units, self.strata, self.group) if name is not None}

    @property
    def named(self) -> Iterator[tuple[str, str]]:
        """Purpose and name of every column that each table must have."""
        yield from self.labels.items()
        if self.weights is not None:
            yield "weights", self.weights

    @property
    def fills(self) -> bool:
        """Whether missing values are filled in."""
        return self.missing in ("mean", "median")

    def encodes(self, column: str) -> bool:
        """Return whether a column of categories becomes indicator columns."""
        return self.encode if isinstance(self.encode, bool) else column in self.encode
