"""What people do with a result: look at its columns and rows, read it, move points as its plan does."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

from .core import validate
from .core.shown import Shown
from .features import feature_table
from .matches import match_table
from .movement import Movement
from .runtime.isolation import isolated_properties
from .runtime.lines import Text
from .runtime.types import Array, PointsLike

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.axes import Axes

    from .certify.again import Check
    from .core.table import Table
    from .inference.interval_result import Intervals
    from .inference.null_band import NullBand
    from .inference.two_sample_result import TwoSampleTest
    from .path.curve import Path
    from .result import Result


@isolated_properties
class Presented(Shown):
    """The methods of a result that only show what it holds; tables, text and pictures are imported when asked for."""

    @property
    def _result(self) -> "Result":
        """The result itself: the only class that has these methods."""
        return cast("Result", self)

    def features(self, intervals: "Intervals | None" = None) -> "Table":
        """Return a table with one row per column of the data, those with the largest shares of the cost first.

        It has always the columns `name`, `share`, `low`, `high`, `mean_X`, `mean_Y`, and `direction_1` to
        `direction_k`, the weights in the directions of `basis`. Means are in the units of the table, also where
        `prepare` has divided its columns.

        Parameters
        ----------
        intervals : Intervals, optional
            What `intervals(X, Y, k)` returned: `low` and `high` are then its confidence interval for the share in the
            populations. They are NaN without it, and where there is no interval.

        Examples
        --------
        >>> import subspaceot as sot
        >>> sot.srw([[0.0, 5.0]], [[3.0, 9.0]], k=1).features()
        name  share  low  high  mean_X  mean_Y  direction_1
        1      0.64                  5       9          0.8
        0      0.36                  0       3          0.6
        """
        return feature_table(self._result, self._intervals(intervals))

    def matches(self) -> "Table":
        """Return a table of which rows of X go to which rows of Y, from `sparse_plan`: one row per pair with mass.

        Its columns are `row_X` and `row_Y`, the labels of the rows where the data came as a pandas table, else their
        numbers from 0 on; `mass`; `part`, how much of the row of X that is; `squared_displacement`, in Omega.

        Examples
        --------
        >>> import subspaceot as sot
        >>> sot.srw([[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [4.0, 0.0]], k=1).matches()
        row_X  row_Y  mass  part  squared_displacement
            0      0   0.5     1                     1
            1      1   0.5     1                     9
        """
        return match_table(self._result)

    def transport(self, Z: PointsLike) -> Array:
        """Return points `Z` (., d) where the plan moves them, within the subspace and in no other direction.

        x + B B^T (T(x) - x), B being `basis`. For a point of X that has mass, T(x) is the mean of its images under the
        plan. A new point, taken for one of the first sample, moves as the points of X nearby do: by the mean of the
        eight nearest in the subspace, each weighted by its mass over its squared distance. The columns of a table are
        matched to `names`, and divided as `prepare` has divided those of the data, in whose units the answer is.

        Examples
        --------
        >>> import subspaceot as sot
        >>> result = sot.srw([[0.0, 7.0], [1.0, 7.0]], [[10.0, 7.0], [12.0, 7.0]], k=1)
        >>> result.transport([[0.0, 7.0], [1.0, 0.0]])
        array([[10.,  7.],
               [12.,  0.]])
        """
        frame = self._result.problem.frame
        return self._movement.moved(validate.as_points_like(Z, "Z", frame.d, frame.names, frame.scales))

    @cached_property
    def _movement(self) -> Movement:
        """How far the plan moves points within the subspace."""
        return Movement.of(self._result)

    def check(self) -> "Check":
        """Return the interval that `factor`, `potentials` and the plan prove, worked out again from the data alone.

        The points and weights are centred and scaled anew, `potentials` are lowered where they are not feasible, the
        displacement matrix of the plan and its sums are computed again, all with rounding counted as before. After
        `subspaceot.load` that says whether the file proves what it claims. It takes about as long as one iteration.

        Examples
        --------
        >>> import subspaceot as sot
        >>> sot.srw([[0.0, 5.0]], [[3.0, 9.0]], k=1).check().holds
        True
        """
        from .certify.again import Check, proven_again

        result = self._result
        problem, certificate = proven_again(result.problem, result.certificate, result._power)
        again = replace(result, problem=problem, certificate=certificate)
        return Check(lower=again.lower, upper=again.upper, claimed=(result.lower, result.upper))

    def plot(self, ax: "Axes | None" = None, *, names: tuple[str, str] = ("X", "Y"), unit: str | None = None) -> "Axes":
        """Draw both samples where they differ most, with the transport between them, and return matplotlib's axes.

        With two directions or more that is the plane of the two leading ones. Above 1,000 points there are regions that
        hold 50, 80 and 95 % of each sample in place of dots, and lines for the 200 pairs that contribute most to the
        cost. With one direction there are two histograms: X above the line, Y below.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; pyplot's current axes by default. The extra `cli` brings matplotlib.
        names : pair of str
            What to call both samples.
        unit : str, optional
            In what the axes are measured: "units of the data", or of the scaled columns after `prepare`.

        Examples
        --------
        >>> import subspaceot as sot
        >>> from matplotlib.figure import Figure
        >>> axes = Figure().add_subplot()
        >>> result = sot.srw([[0.0, 0.0], [2.0, 1.0]], [[5.0, 5.0], [9.0, 4.0]], k=2)
        >>> result.plot(axes, names=("before", "after"), unit="metres") is axes
        True
        >>> axes.get_xlabel()
        'direction 1, in metres'
        """
        from .plotting.canvas import current
        from .plotting.plane import draw_plane

        shown = validate.as_pair_of_names(names, "names")
        unit = None if unit is None else validate.as_text(unit, "unit")
        return draw_plane(self._result, shown, unit=unit, ax=current(ax))

    def plot_features(
        self, ax: "Axes | None" = None, *, intervals: "Intervals | None" = None, count: int = 12
    ) -> "Axes":
        """Draw what each column contributes to the squared distance as bars, and return matplotlib's axes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; pyplot's current axes by default.
        intervals : Intervals, optional
            What `intervals(X, Y, k)` returned: a line shows the confidence interval of each share in the populations.
        count : int
            How many columns to name; one bar holds all others.

        Examples
        --------
        >>> import subspaceot as sot
        >>> from matplotlib.figure import Figure
        >>> axes = sot.srw([[0.0, 5.0]], [[3.0, 9.0]], k=1).plot_features(Figure().add_subplot())
        >>> [round(float(bar.get_width()), 2) for bar in axes.patches]
        [0.64, 0.36]
        """
        from .plotting.bars import draw_features
        from .plotting.canvas import current

        found = self._intervals(intervals)
        return draw_features(self._result, found, count=validate.as_count(count, "count"), ax=current(ax))

    def _intervals(self, intervals: object) -> "Intervals | None":
        """Return the confidence intervals that the caller has given, if any."""
        if intervals is None:
            return None
        from .inference.interval_result import Intervals

        return validate.as_instance(intervals, "intervals", Intervals, "sot.intervals(X, Y, k)")

    def summary(
        self,
        names: tuple[str, str] = ("X", "Y"),
        *,
        W: "Result | None" = None,
        test: "TwoSampleTest | None" = None,
        intervals: "Intervals | None" = None,
    ) -> Text:
        """Return in words what the command `subspaceot compare` prints, for a prompt, `print` or a notebook.

        Parameters
        ----------
        names : pair of str
            What to call both samples.
        W : Result, optional
            What `wasserstein(X, Y)` returned. It is computed here if it is not given, but for many points.
        test : TwoSampleTest, optional
            What `two_sample_test(X, Y)` returned. With `k="auto"` the first of the tests that selected k.
        intervals : Intervals, optional
            What `intervals(X, Y, k)` returned.
        """
        from .tables.of_result import comparison_of

        return Text(comparison_of(self._result, names, W=W, test=test, intervals=intervals).lines())

    def report(
        self,
        path: "str | PathLike[str]",
        names: tuple[str, str] = ("X", "Y"),
        *,
        W: "Result | None" = None,
        test: "TwoSampleTest | None" = None,
        intervals: "Intervals | None" = None,
        curve: "Path | None" = None,
        band: "NullBand | None" = None,
        note: str | None = None,
    ) -> None:
        """Write one HTML file that a colleague can read without knowing anything of transport.

        It says in words and pictures whether there is a difference, how large it is, in how many directions, columns
        and rows, and how that was computed. It loads nothing from elsewhere. Without a test it says that none was made.
        Needs the extra `report`.

        Parameters
        ----------
        path : str or path
            The file to write, which ends in `.html`.
        names : pair of str
            What to call both samples.
        W, test, intervals
            As for `summary`.
        curve : Path, optional
            What `srw_path(X, Y)` returned.
        band : NullBand, optional
            What `null_band(X, Y, k)` returned for several k; it is drawn beside the curve.
        note : str, optional
            What was done with the data before, to be shown on the page.

        Examples
        --------
        >>> import subspaceot as sot
        >>> result = sot.srw([[0.0, 5.0]], [[3.0, 9.0]], k=1)
        >>> result.report("report.html", names=("before", "after"))  # doctest: +SKIP
        """
        from .report.of_result import write_report

        write_report(self._result, path, names, W=W, test=test, intervals=intervals, curve=curve, band=band, note=note)
