"""What the reports of all commands share: they can be written, and say how they came about."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._command import the_call
from ._print import notes
from ._write import require_writable

if TYPE_CHECKING:
    from ..report import Source
    from ._samples import Reading


def require_report(path: Path) -> None:
    """Refuse, before any work is done, a page that could not be made or written in the end."""
    from ..report import require_jinja

    require_writable(path, ("html",))
    require_jinja()


def design_of(reading: "Reading") -> list[str]:
    """Return in sentences which rows tests keep together."""
    texts = []
    if reading.units is not None:
        texts.append(f"Tests move all rows with the same {reading.units!r} together.")
    if reading.strata is not None:
        texts.append(f"Tests compare within each {reading.strata!r}.")
    return texts


def the_source(
    *,
    seed: int | None = None,
    weights: str | None = None,
    rows_before: Sequence[int] = (),
    design: Sequence[str] = (),
) -> "Source":
    """Return how the numbers of this call came about, with all that was said of the input so far."""
    from ..report import Source

    return Source(
        call=the_call(),
        is_command=True,
        seed=seed,
        weights=None if weights is None else f"column {weights!r}",
        remarks=[*design, *(f"{text[0].upper()}{text[1:]}." for text in notes())],
        rows_before=rows_before,
    )
