"""`subspaceot demo`: a first answer, on data that come with scikit-learn."""

from pathlib import Path

import click
import numpy as np

from ..runtime.digits import number
from ._clouds import Cloud, Clouds
from ._command import PrintedHelp
from ._errors import bad_input
from ._output import print_line
from ._progress import spinner
from ._say import heading, say_answer, say_table
from ._solve import compared, leave
from ._write import require_picture, save_picture

_EXAMPLE = """\b
Example:
  subspaceot demo --out pictures
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path("."),
    help="Folder for both pictures, made if it is not there; the current one by default.",
)
def demo(out: Path) -> None:
    """Compare handwritten ones with handwritten sevens: 8 by 8 pixels, so points in 64 dimensions.

    Prints how far apart they are, in which pixels, and which one becomes which seven, and writes two pictures. The
    images come with scikit-learn; nothing is downloaded.
    """
    from ..path.curve import srw_path
    from ..plotting.curve import draw_curve
    from ..plotting.plane import add_images, draw_plane
    from ..tables.choice import LOOKED_AT, elbow_of

    plane, curve_file = out / "demo-plane.png", out / "demo-curve.png"
    with bad_input():
        out.mkdir(parents=True, exist_ok=True)
    for file in (plane, curve_file):
        require_picture(file)
    clouds = _digits(1, 7)
    first, second = clouds.clouds
    names = ("ones", "sevens")
    summary, _ = compared(clouds, 2, 1e-4)
    with spinner("the curve over k"):
        curve = srw_path(first.points, second.points, range(1, LOOKED_AT + 1), tol=1e-2)
    elbow = elbow_of(curve, summary.whole)
    sizes = f"{len(first.points)} images of a one against {len(second.points)} of a seven, {clouds.d} pixels each"
    say_answer(summary, sizes, "a plane, which can be drawn")
    print_line()
    print_line(f"Elbow of the curve over k: {elbow.k}. {elbow.reason}")
    heading("Pixels that carry it, with their mean ink (0 to 16)")
    say_table(
        ["", "share", "in a one", "in a seven"],
        [(f.name, f"{f.share:.1%}", f"{f.mean_X:.1f}", f"{f.mean_Y:.1f}") for f in summary.features(6)],
    )
    heading("Ones that move most")
    movers = summary.movers(2)
    say_table(
        ["", "moves", "mostly to"],
        [(f"one number {m.i + 1}", number(m.move), f"seven number {m.j + 1} ({m.part:.0%} of it)") for m in movers],
    )
    farthest = movers[0]
    heading(f"One number {farthest.i + 1} becomes seven number {farthest.j + 1}")
    for left, right in zip(_ink(first.points[farthest.i]), _ink(second.points[farthest.j]), strict=True):
        print_line(f"  {left}  {right}".rstrip())
    picture = draw_plane(summary.result, names, unit="units of ink")
    add_images(picture, summary.result, (first.points.reshape(-1, 8, 8), second.points.reshape(-1, 8, 8)))
    draw = {plane: lambda: picture, curve_file: lambda: draw_curve(curve, summary.whole, names, elbow=elbow.k)}
    saved = [str(file) for file in draw if save_picture(file, draw[file])]
    if saved:
        print_line()
        print_line(f"Pictures: {', '.join(saved)}")
    leave(summary.result.converged and curve.converged)


def _digits(one: int, other: int) -> Clouds:
    """Return the images of two digits as clouds."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    clouds = []
    for digit in (one, other):
        points = images[labels == digit]
        clouds.append(Cloud(str(digit), points, None, np.arange(1, len(points) + 1)))
    pixels = tuple(f"row {row + 1}, column {column + 1}" for row in range(8) for column in range(8))
    return Clouds(tuple(clouds), pixels, (1.0,) * 64)


def _ink(image: np.ndarray) -> list[str]:
    """Return the eight rows of an image as text."""
    return ["".join(" .:*#"[round(ink / 4)] * 2 for ink in row) for row in image.reshape(8, 8)]
