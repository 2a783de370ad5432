"""`subspaceot path`: the curve over k."""

from pathlib import Path

import click

from ..runtime.digits import above, below, number
from . import _options
from ._clouds import Reading, load_pair
from ._command import PrintedHelp
from ._errors import BadInput
from ._output import print_json, print_line
from ._progress import spinner
from ._say import say_table
from ._solve import leave, ordinary, require_k, require_room
from ._write import require_picture, save_picture

_EXAMPLE = """\b
Examples:
  subspaceot path before.csv after.csv
  subspaceot path cells.parquet --group condition --kmax 20 --plot curve.png
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("files", nargs=-1, required=True, metavar="A [B]")
@click.option("--kmax", metavar="K", type=click.IntRange(1), help="Largest k; 10 by default, or d if that is less.")
@_options.group
@_options.tables
@_options.tol(1e-2)
@_options.file_option("--plot", "Draw the curve (.png, .svg, .pdf).")
@_options.as_json
def path(
    files: tuple[str, ...],
    kmax: int | None,
    group: str | None,
    reading: Reading,
    tol: float,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Show how the distance S_k of the tables A and B grows with the number of directions k, and where it bends.

    S_k^2 / W^2 says which share of the ordinary squared distance k directions explain. After the elbow, further
    directions add little.
    """
    from ..path.curve import srw_path
    from ..tables.choice import LOOKED_AT, elbow_of
    from ..tables.summary import share_of

    if plot is not None:
        require_picture(plot)
    clouds = load_pair(files, group, reading)
    first, second = clouds.clouds
    last = min(LOOKED_AT, clouds.d) if kmax is None else kmax
    if last > clouds.d:
        raise BadInput(f"--kmax must be between 1 and {clouds.d}, the number of columns that are compared; got {kmax}.")
    require_k(last, clouds.d)
    require_room(first, second)
    whole = ordinary(first, second)
    with spinner(f"distances for k = 1 to {last}"):
        curve = srw_path(first.points, second.points, range(1, last + 1), first.weights, second.weights, tol=tol)
    elbow = elbow_of(curve, whole)
    results = [curve.results[k] for k in curve.ks]
    shares = [share_of(result, whole) for result in results]
    if as_json:
        print_json(
            {
                "first": first.name,
                "second": second.name,
                "k": list(curve.ks),
                "cost": curve.cost.tolist(),
                "lower": curve.lower.tolist(),
                "upper": curve.upper.tolist(),
                "status": [result.status.name for result in results],
                "explained": shares,
                "wasserstein_cost": whole.cost,
                "elbow": elbow.k,
                "elbow_reason": elbow.reason,
            }
        )
    else:
        print_line(f"{first.name} and {second.name}, W^2 = {number(whole.cost)}", bold=True)
        print_line()
        say_table(
            ["k", "S_k", "S_k^2", "at least", "at most", "share of W^2"],
            [
                (
                    str(result.k),
                    number(result.distance),
                    number(result.cost),
                    below(result.lower),
                    above(result.upper),
                    "" if share is None else f"{share:.1%}",
                )
                for result, share in zip(results, shares, strict=True)
            ],
        )
        print_line()
        print_line(f"Elbow: {'none' if elbow.k is None else elbow.k}. {elbow.reason}")
        for result in results:
            if not result.converged:
                print_line()
                print_line(f"k = {result.k} did not converge ({result.status.name}): {result.status.value}")
    if plot is not None:
        from ..plotting.curve import draw_curve

        names = (first.name, second.name)
        saved = save_picture(plot, lambda: draw_curve(curve, whole, names, elbow=elbow.k))
        if saved and not as_json:
            print_line()
            print_line(f"Picture: {plot}")
    leave(curve.converged)
