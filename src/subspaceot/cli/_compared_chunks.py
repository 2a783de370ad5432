"""The answer of `compare` for files and folders larger than memory: all rows in the distance, some in the test."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..runtime.lines import Line
from ._chunks import sample_of, solved_in_chunks, sources_of
from ._compared import Asked
from ._print import certified
from ._progress import spinner
from ._rows import part_of_each
from ._samples import Samples, short_names
from ._solve import require_k
from ._testing import permutation_test, permutation_tests, too_few

if TYPE_CHECKING:
    from ..chunks.result import ChunkedResult
    from ..tables.tested import Tested

_CHOOSE_ROWS = 2000  # a side: the elbow of more is the same


@dataclass(frozen=True, slots=True, eq=False)
class ChunkedAnswer:
    """What is said of two samples that were read in chunks."""

    names: tuple[str, str]
    result: "ChunkedResult"
    reason: str  # for k
    tested: "Tested | None"
    untested: str | None  # why there is no test
    listed: bool  # whether columns are

    def lines(self) -> list[Line]:
        """Return the answer."""
        if self.tested is None:
            tested = [Line(f"Not tested whether there is a difference: {self.untested}")]
        else:
            tested = [*self.tested.answer_lines(), *(self.tested.kind_lines() if self.listed else [])]
        lines = self.result.lines(self.names, reason=self.reason, tested=tested, listed=self.listed)
        if self.listed:
            return lines
        return [*lines, Line(), Line("Columns are not listed, as chance alone would choose them; --force lists them.")]

    def as_json(self) -> dict[str, Any]:
        """Return the content of the JSON object, flat."""
        result = self.result
        table = result.features().head(10)
        listed = [row for row in table if row["share"] > 0.0] if self.listed else []
        return {
            "first": self.names[0],
            "second": self.names[1],
            "n": result.rows[0],
            "m": result.rows[1],
            "d": len(result.factor),
            **certified(result),
            "k_reason": self.reason,
            "converged": result.converged,
            "passes": result.passes,
            "features": [row["name"] for row in listed],
            "feature_shares": [row["share"] for row in listed],
            "not_tested": self.untested,
            **(
                {"difference": None, "p_value": None}
                if self.tested is None
                else self.tested.as_json(listed=self.listed)
            ),
        }


def answered_in_chunks(asked: Asked) -> ChunkedAnswer:
    """Return the answer; the test comes first, as it says for how many directions the rest is asked."""
    k, reading, testing = asked.k, asked.reading, asked.testing
    first, second = short_names(list(asked.files))
    sources = sources_of(asked.files, reading)
    if isinstance(k, int):
        require_k(k, sources[0].d)
    samples = sample_of(sources, (first, second), reading)
    untested = "--no-test" if asked.no_test else too_few(samples)
    test = None
    if untested is None:
        test = (permutation_test if isinstance(k, int) else permutation_tests)(samples, reading, testing)
    if isinstance(k, int):
        reason = "as asked for"
    elif test is None:
        k, reason = _elbow(samples, reading.seed)
    else:
        k, reason = max(1, test.k), test.reason
    result = solved_in_chunks(sources, k, asked.tol, asked.seconds)
    listed = test is None or test.found or testing.force
    return ChunkedAnswer((first, second), result, reason, test, untested, listed)


def _elbow(samples: Samples, seed: int) -> tuple[int, str]:
    """Return the elbow of the curve over k of some rows."""
    from ..tables.choice import choose_k

    X, Y = samples.part(part_of_each(samples.each, _CHOOSE_ROWS, seed)).each
    with spinner("choosing k"):
        choice = choose_k(X.points, Y.points)
    return choice.k, f"{choice.reason} Chosen on {len(X.points):,} rows a side."
