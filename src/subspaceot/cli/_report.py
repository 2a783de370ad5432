"""Reports on two samples as files: what they show besides the answer."""

from pathlib import Path
from typing import TYPE_CHECKING

from ._compared import Answer, Asked
from ._interrupt import interrupted, note_interrupt
from ._page import design_of, the_source
from ._solve import curve_of
from ._testing import null_band_of
from ._write import save

if TYPE_CHECKING:
    from ..report import Evidence

_BAND_LABELLINGS = 99  # permuted curves behind the null band
_STOPPED = "The curve over k was not computed, as the run was stopped by Ctrl-C."


def save_report(path: Path, answer: Answer, asked: Asked, *, null_band: bool = False) -> bool:
    """Write the page on a comparison and return whether that was possible."""
    from ..report import comparison_page

    evidence = _evidence(answer, asked, null_band=null_band)
    before, reading = [sample.of for sample in answer.samples.each], asked.reading
    source = the_source(seed=reading.seed, weights=reading.weights, rows_before=before, design=design_of(reading))
    return save(path, comparison_page(answer.comparison, source, evidence))


def _evidence(answer: Answer, asked: Asked, *, null_band: bool) -> "Evidence":
    """Return the curve over k where it does not take long, and its null band where that was asked for."""
    from ..core.potentials import is_large
    from ..report import Evidence

    samples = answer.samples
    first, second = samples.each
    if answer.comparison.summary.same:
        return Evidence()
    if interrupted():
        return Evidence(curve=answer.curve, without_curve=_STOPPED)
    if answer.curve is None and is_large(len(first.points), len(second.points)):
        return Evidence(without_curve="The curve over k was not computed, as it takes long for so many rows.")
    curve = answer.curve
    try:
        curve = curve_of(samples) if curve is None else curve
        ks = curve.ks
        band = null_band_of(samples, asked.reading, ks, _BAND_LABELLINGS, asked.testing.jobs) if null_band else None
    except KeyboardInterrupt:
        note_interrupt()
        return Evidence(curve=curve, without_curve=_STOPPED)
    return Evidence(curve=curve, band=band)
