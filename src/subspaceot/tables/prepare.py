"""`prepare`: tables as they come made ready to compare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import validate
from ..core.columns import Points
from ..core.validate import Words
from ..runtime.isolation import isolated
from ..runtime.types import Array, TableLike
from .preparing.draft import Draft, Samples
from .preparing.groups import split
from .preparing.report import Report
from .preparing.settings import MISSING, SCALES, Settings
from .preparing.table import RawTable

_WORDS = Words()


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Prepared:
    """Samples that every function takes, with the names of their columns and rows, and what was left out.

    `srw(prepared.X, prepared.Y, k, prepared.a, prepared.b)` compares two of them, `pairwise(prepared.measures, k)` all.
    """

    measures: Mapping[str, Any]  #: name -> points, or points and weights, of each sample
    report: Report  #: which rows and columns are compared, and what looks odd: print it
    scales: Mapping[str, float]  #: what each column was divided by
    labels: Mapping[str, tuple[NDArray[Any], ...]]  #: "units" and "strata", where asked for: labels of each sample

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the samples."""
        return tuple(self.measures)

    @property
    def X(self) -> Points:
        """The points of the first of two samples."""
        return self._points("X", 0)

    @property
    def Y(self) -> Points:
        """The points of the second."""
        return self._points("Y", 1)

    @property
    def a(self) -> Array | None:
        """The weights of the first of two samples; None where no column of weights was named."""
        return self._weights("a", 0)

    @property
    def b(self) -> Array | None:
        """The weights of the second."""
        return self._weights("b", 1)

    @property
    def units(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """The labels of units of two samples, as `two_sample_test` takes them; None where no column was named."""
        return self._labels("units")

    @property
    def strata(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """The labels of strata of two samples."""
        return self._labels("strata")

    def __repr__(self) -> str:
        return str(self.report)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def _points(self, attribute: str, at: int) -> Points:
        validate.require_pair(self.names, attribute)
        measure = list(self.measures.values())[at]
        points: Points = measure[0] if isinstance(measure, tuple) else measure
        return points

    def _labels(self, attribute: str) -> tuple[NDArray[Any], NDArray[Any]] | None:
        validate.require_pair(self.names, attribute)
        labels = self.labels.get(attribute)
        return None if labels is None else (labels[0], labels[1])

    def _weights(self, attribute: str, at: int) -> Array | None:
        validate.require_pair(self.names, attribute)
        measure = list(self.measures.values())[at]
        return measure[1] if isinstance(measure, tuple) else None


@isolated
def prepare(
    A: TableLike | Mapping[str, TableLike],
    B: TableLike | None = None,
    *,
    group: str | None = None,
    scale: str | None = "standard",
    missing: str = "drop",
    encode: bool | str | Sequence[str] = False,
    ignore: str | Sequence[str] = (),
    weights: str | None = None,
    units: str | None = None,
    strata: str | None = None,
) -> Prepared:
    """Return tables made ready to compare, and a report of what was left out, filled in or looks odd.

    Columns are matched by name. Those that only some of the tables have, without any value, and those that are not
    numbers are left out; so are constant ones where columns are scaled. The command `subspaceot` prepares files alike.

    Parameters
    ----------
    A, B : data frames
        Tables of pandas, polars, pyarrow, DuckDB or what else narwhals reads, one row per point. `A` alone is split by
        `group`, or is a dict of name to table.
    group : str, optional
        Column of `A` that says which sample a row is in; samples come in the order of their first rows.
    scale : "standard" or None
        Divide each column by its standard deviation over all samples, each of which counts the same, or by nothing. The
        distance is not invariant to units: without a scale columns of large numbers dominate.
    missing : {"drop", "error", "mean", "median"}
        What to do with missing values: leave out such rows, refuse them, or fill in the mean or median of the column
        over all rows, whichever sample they are in; missing categories become a category of their own. Infinite values
        are left out with "drop", and refused otherwise.
    encode : bool or names of columns
        Make indicator columns of categories: of all columns of text with at most 50 categories and two rows for each on
        average, or of those named. The indicators of one column are scaled together, and count as much as one number.
    ignore : names of columns
        Columns to leave out, such as identifiers.
    weights, units, strata : str, optional
        Columns that are no features: weights of the rows, and labels for `two_sample_test`.

    Returns
    -------
    Prepared
        `X`, `Y`, `a`, `b` of two samples, or `measures` of any number, for every function of this package, which then
        names columns and rows as the tables do; `scales`; `report`.

    Examples
    --------
    >>> import pandas as pd
    >>> import subspaceot as sot
    >>> june = pd.DataFrame({"kWh": [1.0, 2.0, None], "kind": ["flat", "house", "flat"], "meter": [7, 8, 9]})
    >>> july = pd.DataFrame({"kWh": [4.0, 6.0], "kind": ["flat", "flat"], "meter": [7, 8]})
    >>> prepared = sot.prepare({"june": june, "july": july}, ignore="meter")
    >>> prepared
    june: 2 rows, july: 2 rows; 1 column
    compared: 'kWh'
    each column was divided by its standard deviation over all samples
    left out, as asked for: 'meter'
    left out, as they are not numbers: 'kind'
    left out 1 row of 3 of june with missing values
    >>> sot.srw(prepared.X, prepared.Y, k=1).features()["name"]
    array(['kWh'], dtype=object)
    """
    settings = _settings(scale, missing, encode, ignore, weights, units, strata)
    frames = validate.as_several_tables(A, B, group)
    lost = 0
    if frames is None:
        table = RawTable.of(A, "A", "A")
        column = validate.as_names(group, "group")[0]
        tables, lost = split(table, column, settings.missing == "drop", _WORDS)
        settings = replace(settings, group=column)
    else:
        tables = [RawTable.of(frame, name, name) for name, frame in frames.items()]
    samples, report = Draft.of(tables, settings, _WORDS).scaled()
    return _prepared(samples, replace(report, unlabelled=lost))


def _settings(scale: Any, missing: Any, encode: Any, ignore: Any, weights: Any, units: Any, strata: Any) -> Settings:
    """Return the choices, each valid."""
    names = {"weights": weights, "units": units, "strata": strata}
    single = {name: None if value is None else validate.as_names(value, name)[0] for name, value in names.items()}
    return Settings(
        **single,
        ignore=validate.as_names(ignore, "ignore"),
        scale=None if scale is None else validate.as_choice(scale, "scale", SCALES),
        missing=validate.as_choice(missing, "missing", MISSING),
        encode=encode if isinstance(encode, bool) else validate.as_names(encode, "encode"),
    )


def _prepared(samples: Samples, report: Report) -> Prepared:
    """Return samples as the functions of this package take them."""
    measures: dict[str, Any] = {}
    scales = None if report.scale is None else np.array(samples.scales)
    for sample in samples.each:
        counted = np.array_equal(sample.rows, np.arange(len(sample.rows)))
        points = Points(sample.points, samples.columns, None if counted else sample.rows, scales)
        measures[sample.name] = points if sample.weights is None else (points, sample.weights)
    labels = {
        purpose: tuple(getattr(sample, purpose) for sample in samples.each)
        for purpose in ("units", "strata")
        if getattr(samples.each[0], purpose) is not None
    }
    return Prepared(measures, report, dict(zip(samples.columns, samples.scales, strict=True)), labels)
