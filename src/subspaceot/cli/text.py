"""`subspaceot text`: texts as samples of word vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from ..runtime.digits import number
from . import _options
from ._command import PrintedHelp
from ._errors import BadInput, bad_input
from ._output import print_json, print_line
from ._page import the_source
from ._print import certified, heading, print_lines, print_rows
from ._progress import gap_bar, spinner
from ._solve import leave, require_k
from ._tables import AllPairs, Outputs, outputs, print_saved
from ._write import save, save_picture

if TYPE_CHECKING:
    from ..report import TextPair
    from ..result import Result
    from ..text import TextMeasure, WordVectors

_WHICH_WORDS = "Words that hold a digit or begin with a capital letter were left out: most of these are names."

_EXAMPLE = """\b
Examples:
  subspaceot text hamlet.txt macbeth.txt --vectors wiki-news-300d-1M.vec --cloud words.png
  subspaceot text plays/ --vectors glove.vec.gz --jobs 2 --table pairs.csv --map map.png
"""


@click.command(cls=PrintedHelp, epilog=_EXAMPLE)
@click.argument("files", nargs=-1, required=True, metavar="FILES...")
@click.option(
    "--vectors",
    metavar="V.vec[.gz]",
    required=True,
    type=click.Path(path_type=Path),
    help="Word vectors in fastText's text format, most frequent word first.",
)
@click.option("-k", type=click.IntRange(1), default=2, help="Number of directions; 2 by default.")
@click.option(
    "--skip",
    metavar="N",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="Leave out the N most frequent words.",
)
@click.option("--upto", type=click.IntRange(1), default=20000, show_default=True, help="Use words up to this rank.")
@_options.tol(1e-2)
@click.option(
    "--reg",
    metavar="GAMMA",
    callback=_options.positive,
    help="Run the paper's Algorithm 2 at this regularisation, such as 0.1, instead of solving the exact problem.",
)
@_options.jobs
@click.option(
    "--pair",
    metavar="NAME NAME",
    nargs=2,
    default=None,
    help="The two texts to show in words; by default the farthest.",
)
@outputs
@_options.file_option("--cloud", "Draw the words of the pair in its optimal plane (.png, .svg, .pdf).")
@_options.as_json
def text(
    files: tuple[str, ...],
    vectors: Path,
    k: int,
    skip: int,
    upto: int,
    tol: float,
    reg: float | None,
    jobs: int,
    pair: tuple[str, str] | None,
    outputs: Outputs,
    as_json: bool,
) -> None:
    """Compare texts: every word a point, its vector the place, its frequency the weight.

    FILES are texts in UTF-8; a folder stands for the .txt files in it. Words count if they are among the vectors of
    rank --skip + 1 to --upto, hold no digits and begin with a small letter. For a pair of texts, the words nearest to
    the main direction of each say what it is about where the two differ most.
    """
    from ..text import nearest_words

    outputs.require()
    measures, vocabulary = _read(files, vectors, skip, upto, pair)
    require_k(k, vocabulary.points.shape[1])
    names, pairs = list(measures), None
    if len(names) > 2:
        given = [(measure.points, measure.weights) for measure in measures.values()]
        pairs = AllPairs.of(names, given, k, tol=tol, reg=reg, jobs=jobs)
    elif outputs.table or outputs.heatmap or outputs.map:
        raise BadInput("--table, --heatmap and --map need three texts or more; two have one distance only.")
    if pair is None:
        pair = (names[0], names[1]) if pairs is None else _farthest(pairs)
    first, second = measures[pair[0]], measures[pair[1]]
    result = _solved(first, second, k, tol, reg)
    meanings = [nearest_words(measure, result.basis, vocabulary) for measure in (first, second)]
    if as_json:
        print_json({**_pair_as_json(first, second, result, meanings), **(pairs.as_json() if pairs else {})})
    else:
        if pairs is not None:
            exact = "" if reg is None else f", regularised by {reg:g} (Algorithm 2)"
            print_line(f"Distances S_{k} between {len(names)} texts{exact}", bold=True)
            print_line()
            pairs.print()
            print_line()
        _print_pair(first, second, result, meanings)
    saved = [] if pairs is None else pairs.save(outputs, "units of the word vectors")
    if outputs.cloud is not None:
        from ..plotting.wordcloud import draw_words

        if save_picture(outputs.cloud, lambda: draw_words(first, second, result)):
            saved.append(outputs.cloud)
    if outputs.report is not None:
        from ..report import TextPair

        whole = TextPair((first, second), result, meanings)
        done = f"{len(vocabulary.words):,} words have a vector, those of rank {skip + 1:,} to {upto:,} in {vectors}."
        if _save_report(outputs.report, whole, pairs, measures, [done, _WHICH_WORDS]):
            saved.append(outputs.report)
    if not as_json:
        print_saved(saved)
    leave(result.converged and (pairs is None or pairs.converged))


def _save_report(
    path: Path, pair: "TextPair", pairs: AllPairs | None, texts: "dict[str, TextMeasure]", done: list[str]
) -> bool:
    """Write the page on texts and return whether that was possible."""
    from ..report import texts_page

    sizes = [f"{text.total:,} words" for text in texts.values()]
    d = pair.result.problem.frame.d
    many = None if pairs is None else pairs.for_report(sizes, "texts", d, "units of the word vectors")
    return save(path, texts_page(pair, many, the_source(), done))


def _read(
    files: Sequence[str], vectors: Path, skip: int, upto: int, pair: tuple[str, str] | None
) -> "tuple[dict[str, TextMeasure], WordVectors]":
    """Return the texts as measures by name, and the vocabulary."""
    from ..text import read_documents, read_vectors, text_measure

    with bad_input():
        documents = read_documents(files)
        if len(documents) < 2:
            raise BadInput(f"Give at least two texts, or a folder of them; got {len(documents)}.")
        for name in pair or ():
            if name not in documents:
                raise BadInput(f"--pair must name two of the texts {', '.join(documents)}; got {name!r}.")
        if pair is not None and pair[0] == pair[1]:
            raise BadInput(f"--pair must name two different texts; got {pair[0]!r} twice.")
        with spinner("word vectors"):
            vocabulary = read_vectors(vectors, skip=skip, upto=upto)
        return {name: text_measure(name, content, vocabulary) for name, content in documents.items()}, vocabulary


def _solved(first: "TextMeasure", second: "TextMeasure", k: int, tol: float, reg: float | None) -> "Result":
    from ..distances import srw

    method = "auto" if reg is None else "frank-wolfe"
    with gap_bar(f"{first.name} and {second.name}", tol) as callback:
        return srw(
            first.points,
            second.points,
            k,
            first.weights,
            second.weights,
            tol=tol,
            reg=reg,
            method=method,
            callback=callback,
        )


def _farthest(pairs: AllPairs) -> tuple[str, str]:
    """Return the names of the two texts that are farthest apart."""
    i, j = np.unravel_index(np.argmax(pairs.distance), pairs.distance.shape)
    return pairs.names[min(i, j)], pairs.names[max(i, j)]


def _print_pair(first: "TextMeasure", second: "TextMeasure", result: "Result", meanings: list[list[str]]) -> None:
    from ..tables.comparison import solver_bounds, status_lines

    print_line(f"{first.name} and {second.name}", bold=True)
    print_line()
    squared = f"squared {number(result.cost)}, {solver_bounds(result.lower, result.upper)}"
    print_rows(
        [
            (f"Distance S_{result.k}", number(result.distance), squared),
            *((f"Words of {t.name}", str(t.total), f"{len(t.words)} different ones") for t in (first, second)),
        ]
    )
    print_lines(status_lines(result))
    heading("What each is about where they differ most: words nearest to its main direction there")
    for measure, words in zip((first, second), meanings, strict=True):
        print_line(f"  {measure.name}: {', '.join(words)}")


def _pair_as_json(
    first: "TextMeasure", second: "TextMeasure", result: "Result", meanings: list[list[str]]
) -> dict[str, object]:
    return {
        "first": first.name,
        "second": second.name,
        **certified(result),
        "first_words": meanings[0],
        "second_words": meanings[1],
    }
