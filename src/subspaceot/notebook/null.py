"""A null band in a notebook."""

from ..inference.null_band import NullBand
from ..runtime.digits import number
from ._parts import beside, card, head, remark, table
from ._pictures import curve


def html(band: NullBand) -> str:
    """Return S_k^2 of the samples beside what permuted labellings give."""
    columns = (band.ks, band.cost, band.mean, band.low, band.high, band.p_values)
    rows = [[f"{k}", *map(number, values), f"{p:.4g}"] for k, *values, p in zip(*columns, strict=True)]
    outside = [k for k, cost, high in zip(band.ks, band.cost, band.high, strict=True) if cost > high]
    labellings = f"{'all' if band.exhaustive else ''} {band.n_permutations} {'other' if band.exhaustive else 'random'}"
    missed = f" {band.unconverged} labellings NOT CONVERGED." if band.unconverged else ""
    return card(
        head("Above the null band for k =", ", ".join(map(str, outside)) or "none"),
        remark(f"S_k² beside those of {labellings.strip()} labellings, band at {100.0 * band.level:g}%.{missed}"),
        beside(
            curve(band.ks, band.cost, (band.cost, band.cost), (band.low, band.high)),
            table(["k", "S_k²", "permutation mean", "band from", "to", "p"], rows),
        ),
    )
