"""What all answers have in common: they are saved and shown, by modules that are imported when asked for."""

from os import PathLike


class Shown:
    """The methods of every answer that only keep or show it."""

    __slots__ = ()

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to the file `path`, whose name ends in .npz; `subspaceot.load` reads it back, bit by bit.

        There is all of the file or nothing. It holds arrays and text, no pickle. Labels of rows that are neither
        numbers nor text nor times are written as text.
        """
        from ..saving import save

        save(self, path)

    def _repr_html_(self) -> str:
        """What a notebook shows: the number, its solver bounds or its confidence interval, a small picture."""
        from ..notebook import html_of

        return html_of(self)
