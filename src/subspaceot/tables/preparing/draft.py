"""From tables to samples, in two steps between which rows may be drawn: what is compared, then its scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core import validate
from ...core.columns import require_unique
from ...core.validate import Words
from ..scaling import standardized
from .categories import Features, encode, few_categories
from .columns import Columns, choose_columns
from .report import LeftOut, Reason, Report, SampleReport
from .rows import Rows, fill, without_empty
from .sample import Sample
from .settings import Settings
from .suspicions import dominant_columns, odd_columns, uneven_gaps
from .table import RawTable


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Samples that share their columns."""

    each: tuple[Sample, ...]
    columns: tuple[str, ...]
    scales: tuple[float, ...]  # what each column was divided by; 1 unless they were standardized

    @property
    def d(self) -> int:
        """The number of columns."""
        return len(self.columns)

    def part(self, kept: Sequence[np.ndarray]) -> "Samples":
        """Return some of the rows of each."""
        return replace(self, each=tuple(sample.part(rows) for sample, rows in zip(self.each, kept, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """Samples before they are scaled, and what was made of their tables so far."""

    samples: tuple[Sample, ...]
    features: Features
    reports: tuple[SampleReport, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...]
    settings: Settings
    words: Words

    @classmethod
    def of(cls, tables: Sequence[RawTable], settings: Settings, words: Words) -> "Draft":
        """Return what is compared of the tables."""
        columns = choose_columns(tables, settings, words)
        _require_some(columns, tables)
        columns, rows = without_empty(columns, [Rows.of(table, columns, settings, words) for table in tables])
        warnings = odd_columns(columns.numbers, [each.numbers for each in rows])
        columns, rows = few_categories(columns, rows, settings, words)
        _require_some(columns, tables)
        complete = _complete(rows, columns, settings, words)
        features, points = encode(columns, tables[0].columns, complete)
        require_unique(features.names, words.encode)
        samples = tuple(each.sample(X, settings, words) for each, X in zip(complete, points, strict=True))
        reports = tuple(_report(*pair, columns, settings) for pair in zip(rows, samples, strict=True))
        return cls(
            samples=samples,
            features=features,
            reports=reports,
            left_out=columns.left_out,
            warnings=(*(suspicion.sentence(words) for suspicion in warnings), *uneven_gaps(reports)),
            settings=settings,
            words=words,
        )

    def scaled(self) -> tuple[Samples, Report]:
        """Return the samples on the scale that was asked for, and the report."""
        points, weights = [sample.points for sample in self.samples], [sample.weights for sample in self.samples]
        names, scales, left_out, warnings = self.features.names, [1.0] * len(self.features.names), [], []
        if self.settings.scale is None:
            dominant = dominant_columns(names, points, weights)
            if dominant is not None:
                warnings = [f"{dominant}; {self.words.standardize} gives all of them one scale"]
        else:
            points, deviation = standardized(points, weights, self.features.blocks)
            varies = deviation > 0.0
            validate.require_variation(varies, self.words)
            left_out = [LeftOut(name, Reason.CONSTANT) for name, kept in zip(names, varies, strict=True) if not kept]
            names, scales = tuple(np.array(names, dtype=object)[varies]), deviation[varies].tolist()
        each = tuple(replace(sample, points=X) for sample, X in zip(self.samples, points, strict=True))
        report = Report(
            samples=self.reports,
            columns=names,
            left_out=(*self.left_out, *left_out),
            encoded=self.features.encoded,
            missing=self.settings.missing,
            scale=self.settings.scale,
            scales=tuple(scales),
            warnings=(*self.warnings, *warnings),
        )
        return Samples(each, names, tuple(scales)), report


def _require_some(columns: Columns, tables: Sequence[RawTable]) -> None:
    """Raise ValueError where no column is left to compare."""
    shared = set.intersection(*(set(table.columns) for table in tables))
    held = {table.name: table.columns for table in tables}
    validate.require_columns((*columns.numbers, *columns.categories), shared, held)


def _complete(rows: Sequence[Rows], columns: Columns, settings: Settings, words: Words) -> list[Rows]:
    """Return the rows that have every value, filled in or not; raise ValueError where others are not to be left out."""
    if settings.fills:
        rows = fill(rows, settings.missing)
    complete = []
    for each in rows:
        gaps = each.gaps(columns, settings)
        kept = ~np.any([np.zeros(len(each.numbers), bool), *gaps.values()], axis=0)
        counts = {name: int(missing.sum()) for name, missing in gaps.items()}
        drop = settings.missing == "drop"
        validate.require_complete(counts, len(kept), int(kept.sum()), each.table.name, words, drop=drop)
        complete.append(each.part(kept) if gaps else each)
    return complete


def _report(rows: Rows, sample: Sample, columns: Columns, settings: Settings) -> SampleReport:
    """Return what was made of the rows of one table."""
    missing = {name: int(gaps.sum()) for name, gaps in rows.gaps(columns, settings).items()}
    return SampleReport(sample.name, len(rows.numbers), len(sample.points), missing)
