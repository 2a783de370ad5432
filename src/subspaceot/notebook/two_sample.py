"""A two-sample test in a notebook."""

from ..inference.two_sample_result import TwoSampleTest
from ..report.pictures import null_picture
from ._parts import beside, card, head, remark, table


def html(test: TwoSampleTest) -> str:
    """Return the p-value, the statistic among those of permuted labellings, and the components behind it."""
    kind = "all labellings" if test.exhaustive else f"{test.n_permutations} random labellings"
    error = "" if test.exhaustive else f" (Monte Carlo error {test.monte_carlo_error:.2g})"
    n, m = test.sizes
    rows = [[part.name, f"{part.score:.2f}", f"{part.p_value:.4g}"] for part in test.components]
    return card(
        head("Two-sample test: p =", f"{test.p_value:.4g}", f"from {kind}{error}"),
        remark(f"{n} against {m} points; the smallest p that any data could have is {test.smallest_p:.2g}"),
        beside(null_picture(test), table(["component", "score", "p of it alone"], rows)),
    )
