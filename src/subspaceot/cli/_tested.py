"""What commands say of a test of two samples: printed, and as JSON."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..runtime.digits import number
from ._output import print_line
from ._print import heading, print_table
from ._samples import Samples

if TYPE_CHECKING:
    from ..inference.selection import SelectedK
    from ..inference.two_sample_result import TwoSampleTest
    from ..tables.finding import Finding


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """What a test found, and on which part of the rows."""

    finding: "Finding"
    samples: Samples  # all rows
    selection: "SelectedK | None"  # where the number of directions was looked for

    @classmethod
    def of(
        cls,
        test: "TwoSampleTest",
        part: Samples,
        samples: Samples,
        alpha: float,
        selection: "SelectedK | None" = None,
    ) -> "Tested":
        """Return what a test of a part of the samples says."""
        from ..tables.finding import Finding

        X, Y = part.each
        finding = Finding(test, X.points, Y.points, X.weights, Y.weights, samples.columns, alpha)
        return cls(finding, samples, selection)

    @property
    def found(self) -> bool:
        """Whether there is a difference."""
        return self.finding.found

    @property
    def k(self) -> int:
        """The number of directions in which differences were found."""
        return 0 if self.selection is None else self.selection.k

    @property
    def reason(self) -> str:
        """Why `k` is what it is."""
        if self.selection is None or not self.found:
            return "no difference was found, and one direction is shown all the same"
        return f"{self.k} is the most that are looked for" if self.selection.limited else "as many as tests found"

    def print_answer(self) -> None:
        """Print whether there is a difference, p, and what it comes from."""
        test = self.finding.test
        answer = "A difference was found" if self.found else "No difference was found"
        error = "" if test.exhaustive else f" (Monte Carlo error {number(test.monte_carlo_error, 2)})"
        which = "other labellings, all there are" if test.exhaustive else "random labellings"
        print_line(f"{answer}: p = {number(test.p_value, 4)}{error}.")
        least = ", which allow no smaller p" if test.p_value <= test.smallest_p <= self.finding.alpha else ""
        print_line(f"Permutation test with {test.n_permutations} {which}{least}, on {self._rows()}.")
        if test.smallest_p > self.finding.alpha:
            print_line(f"With so few of them no data at all could have p below {number(test.smallest_p, 4)}.")
        if not self.found:
            print_line("That is no proof that there is none: a small one may take more rows.")

    def print_kind(self) -> None:
        """Print what kind of difference it is, and in how many directions."""
        along = self.finding.along
        apart = number(abs(along.mean_X - along.mean_Y), 4)
        deviations = f"{number(along.deviation_X, 4)} and {number(along.deviation_Y, 4)}"
        print_line(f"Kind: {self.finding.kind}.")
        print_line(
            f"In the direction that shows it best the means are {apart} apart, with standard deviations {deviations}."
        )
        if self.selection is not None:
            k, p_values = self.selection.k, self.selection.p_values
            more = " or more" if self.selection.limited else ""
            rest = f"; in what is left p = {number(p_values[-1], 4)}" if len(p_values) > k else ""
            print_line(f"Directions: {k}{more}, found by one test after another{rest}.")

    def print_where(self) -> None:
        """Print the columns of the direction that shows the difference best."""
        scale = dict(zip(self.samples.columns, self.samples.scales, strict=True))
        names = [sample.name for sample in self.samples.each]
        unit = ", for columns divided by their standard deviations" if self.finding.rescaled else ""
        heading(f"Columns with the largest weights in that direction{unit}")
        rows = []
        for column in self.finding.columns(6):
            m, c = column.moments, scale[column.name]
            values = (m.mean_X, m.mean_Y, m.deviation_X, m.deviation_Y)
            rows.append((column.name, f"{column.weight:.2f}", *(number(c * value, 4) for value in values)))
        print_table(["", "weight", *(f"{what} in {name}" for what in ("mean", "deviation") for name in names)], rows)

    def as_json(self, *, listed: bool) -> dict[str, Any]:
        """Return the content of the JSON object; columns only where they are to be listed."""
        test = self.finding.test
        return {
            "difference": self.found,
            "alpha": self.finding.alpha,
            "p_value": test.p_value,
            "monte_carlo_error": test.monte_carlo_error,
            "smallest_p": test.smallest_p,
            "n_permutations": test.n_permutations,
            "all_labellings": test.exhaustive,
            "n_tested": len(self.finding.X),
            "m_tested": len(self.finding.Y),
            "leading": test.leading.name,
            "components": [component.name for component in test.components],
            "component_p_values": [component.p_value for component in test.components],
            "component_scores": [component.score for component in test.components],
            "columns": list(self.samples.columns) if listed else [],
            "direction": self.finding.direction.tolist() if listed else [],
            "k_found": None if self.selection is None else self.selection.k,
            "k_or_more": None if self.selection is None else self.selection.limited,
            "k_p_values": None if self.selection is None else list(self.selection.p_values),
        }

    def _rows(self) -> str:
        """Return on how many rows the test worked."""
        seen = [len(self.finding.X), len(self.finding.Y)]
        every = [sample.of for sample in self.samples.each]
        if seen == every:
            return "all rows"
        if len(set(zip(seen, every, strict=True))) == 1:
            return f"{seen[0]:,} of {every[0]:,} rows a side, chosen at random"
        parts = (
            f"{'all' if n == of else f'{n:,} of'} {of:,} rows of {sample.name}"
            for n, of, sample in zip(seen, every, self.samples.each, strict=True)
        )
        return f"{' and '.join(parts)}, chosen at random"
