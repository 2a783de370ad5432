"""From files to samples: what the options say, and the names of files, around what `prepare` does to tables."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.validate import Words
from ..runtime.lines import count
from ..tables.preparing.draft import Draft, Samples
from ..tables.preparing.groups import split
from ..tables.preparing.settings import Settings
from ..tables.preparing.table import RawTable
from ._errors import BadInput, bad_input
from ._files import Table, read_table
from ._print import note
from ._rows import drawn

__all__ = ["Reading", "Samples", "load", "load_pair"]

_WORDS = Words(
    group="--group",
    value="--value",
    weights="--weights",
    units="--units",
    strata="--strata",
    ignore="--ignore",
    encode="--encode",
    drop="--drop-missing",
    standardize="--standardize",
    decimal="which --decimal ',' reads",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the files: one field per option."""

    weights: str | None = None
    standardize: bool = False
    drop_missing: bool = False
    ignore: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    separator: str | None = None
    header: bool = True
    units: str | None = None
    strata: str | None = None
    encode: bool = False
    decimal: str = "."
    values: tuple[str, ...] = ()
    scheduler: str | None = None

    @property
    def settings(self) -> Settings:
        """What they say of columns and rows."""
        return Settings(
            weights=self.weights,
            units=self.units,
            strata=self.strata,
            ignore=self.ignore,
            scale="standard" if self.standardize else None,
            missing="drop" if self.drop_missing else "error",
            encode=self.encode,
        )

    @property
    def labels(self) -> dict[str, str]:
        """Columns of labels, which are no features, by their options."""
        given = {"--units": self.units, "--strata": self.strata}
        return {option: column for option, column in given.items() if column is not None}


def load_pair(files: Sequence[str], group: str | None, reading: Reading) -> Samples:
    """Return the two samples in two files, or in the two groups of one."""
    if group is None:
        if len(files) != 2:
            raise BadInput(f"Give two files, or one file and --group COLUMN, which splits it; got {len(files)} files.")
        return load(files, reading)
    return load_groups(files, group, reading, pair=True)


def load_groups(files: Sequence[str], group: str, reading: Reading, *, pair: bool = False) -> Samples:
    """Return one sample for each group of one file."""
    if len(files) != 1:
        raise BadInput(f"--group splits one file; got {len(files)} files. Leave out --group, or give one file.")
    with bad_input():
        table = _raw(_read(files[0], reading), reading)
        parts, unlabelled = split(table, group, reading.drop_missing, _WORDS, pair=pair, only=reading.values)
    return _samples(parts, reading, group, unlabelled)


def load(files: Sequence[str], reading: Reading) -> Samples:
    """Return one sample per file."""
    if reading.values:
        raise BadInput("--value names a group of the rows in one file; add --group COLUMN, the column that holds it.")
    from ._chunks import larger_than_memory, sample_of, sources_of  # which need what is said here of options

    names = short_names(list(files))
    if larger_than_memory(files, reading):
        return sample_of(sources_of(files, reading), names, reading)
    tables = [_raw(_read(file, reading), reading, name) for file, name in zip(files, names, strict=True)]
    return _samples(tables, reading)


def _read(file: str, reading: Reading) -> Table:
    """Return the table in a file, and say what has no name in it."""
    table = read_table(file, separator=reading.separator, header=reading.header, decimal=reading.decimal)
    if table.nameless:
        note(f"left out of {table.name}: {count(table.nameless, 'column')} without a name")
    return table


def _raw(table: Table, reading: Reading, sample: str | None = None) -> RawTable:
    """Return a table as `prepare` has it, its integers that are no doubles with the sentence that refuses them."""
    unreadable = {column: _would_round(table, column, reading) for column in table.inexact}
    with bad_input():
        return RawTable.of(table.frame, table.name, sample or table.name, unreadable)


def _samples(tables: Sequence[RawTable], reading: Reading, group: str | None = None, unlabelled: int = 0) -> Samples:
    """Return what is compared, and say what is left out."""
    with bad_input():
        draft = Draft.of(tables, replace(reading.settings, group=group), _WORDS)
        if reading.sample is not None:
            draft = replace(draft, samples=tuple(drawn(draft.samples, reading.sample, reading.seed)))
        samples, report = draft.scaled()
    for text in replace(report, unlabelled=unlabelled).notes():
        note(text)
    return samples


def _would_round(table: Table, column: str, reading: Reading) -> str:
    """Return why a column with integers that are no doubles is refused, and what helps."""
    advice = f"if it is an id, add --ignore {column!r}; otherwise subtract a constant, change the unit"
    return (
        f"Column {column!r} of {table.name} holds integers that double precision would round: {table.inexact[column]}; "
        f"{'change the unit' if column == reading.weights else advice}, or write the numbers with a decimal point to "
        f"have them rounded."
    )


def _is_plain(name: str) -> bool:
    """Return whether a name is that of a file or folder, not of a pipe such as /dev/fd/63, nor a group."""
    there = os.path.isfile(name) or os.path.isdir(name)  # a group may be too long for a path
    return there and not Path(name).is_relative_to("/dev")


def short_names(names: list[str]) -> list[str]:
    """Return the names without folders and endings where that still tells them apart."""
    for part in ("stem", "name"):
        short = [str(getattr(Path(name), part)) if _is_plain(name) else name for name in names]
        if len(set(short)) == len(short):
            return short
    return names
