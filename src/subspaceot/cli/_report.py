"""Reports as files: what they show besides the answer, and how they came about."""

from pathlib import Path
from typing import TYPE_CHECKING

from ._command import the_call
from ._compared import Answer, Asked
from ._print import notes
from ._samples import Reading, Samples
from ._solve import curve_of
from ._testing import null_band_of
from ._write import require_writable, save

if TYPE_CHECKING:
    from ..report import Evidence, Source

_BAND_LABELLINGS = 99  # permuted curves behind the null band


def require_report(path: Path) -> None:
    """Refuse, before any work is done, a page that could not be made or written in the end."""
    from ..report import require_jinja

    require_writable(path, ("html",))
    require_jinja()


def save_report(path: Path, answer: Answer, asked: Asked, *, null_band: bool = False) -> bool:
    """Write the page on a comparison and return whether that was possible."""
    from ..report import comparison_page

    evidence = _evidence(answer, asked, null_band=null_band)
    return save(path, comparison_page(answer.comparison, source_of(answer.samples, asked.reading), evidence))


def source_of(samples: Samples, reading: Reading) -> "Source":
    """Return how the numbers of this call came about."""
    from ..report import Source

    return Source(
        call=the_call(),
        is_command=True,
        seed=reading.seed,
        weights=None if reading.weights is None else f"column {reading.weights!r}",
        remarks=[f"{text[0].upper()}{text[1:]}." for text in notes()],
        rows_before=[sample.of for sample in samples.each],
    )


def _evidence(answer: Answer, asked: Asked, *, null_band: bool) -> "Evidence":
    """Return the curve over k where it does not take long, and its null band where that was asked for."""
    from ..core.potentials import is_large
    from ..report import Evidence

    samples = answer.samples
    first, second = samples.each
    if answer.comparison.summary.same:
        return Evidence()
    if answer.curve is None and is_large(len(first.points), len(second.points)):
        return Evidence(without_curve="The curve over k was not computed, as it takes long for so many rows.")
    curve = curve_of(samples) if answer.curve is None else answer.curve
    band = null_band_of(samples, asked.reading, curve.ks, _BAND_LABELLINGS, asked.testing.jobs) if null_band else None
    return Evidence(curve=curve, band=band)
