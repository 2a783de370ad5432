"""Reports on two samples as files: what they show besides the answer."""

from pathlib import Path
from typing import TYPE_CHECKING

from ._compared import Answer, Asked
from ._page import design_of, the_source
from ._solve import curve_of
from ._testing import null_band_of
from ._write import save

if TYPE_CHECKING:
    from ..report import Evidence

_BAND_LABELLINGS = 99  # permuted curves behind the null band


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
    if answer.curve is None and is_large(len(first.points), len(second.points)):
        return Evidence(without_curve="The curve over k was not computed, as it takes long for so many rows.")
    curve = curve_of(samples) if answer.curve is None else answer.curve
    band = null_band_of(samples, asked.reading, curve.ks, _BAND_LABELLINGS, asked.testing.jobs) if null_band else None
    return Evidence(curve=curve, band=band)
