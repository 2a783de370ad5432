"""A folder to work in: the sums of each finished pass, so that a run that was killed goes on after the last of them."""

import hashlib
import io
import json
import os
import zipfile
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..core import validate
from ..runtime.files import write_whole

Sums = TypeVar("Sums")

_ABOUT = "subspaceot-chunks.json"
_VERSION = 1


class Folder:
    """The passes of one call."""

    def __init__(self, path: str | os.PathLike[str], identity: dict[str, Any]) -> None:
        self._path = Path(path)
        about = self._path / _ABOUT
        mine = json.loads(json.dumps({"version": _VERSION, **identity}))
        self._path.mkdir(parents=True, exist_ok=True)
        if about.exists():
            try:
                other = json.loads(about.read_text(encoding="utf-8"))
            except ValueError:
                validate.refuse_folder(path, f"holds a damaged {_ABOUT}")
            different = sorted(name for name in {*mine, *other} if mine.get(name) != other.get(name))
            if different:
                validate.refuse_folder(path, f"is that of another call: other {', '.join(different)}")
        elif any(self._path.iterdir()):
            validate.refuse_folder(path, "is not empty, and no folder of ours")
        else:
            write_whole(about, json.dumps(mine, indent=1).encode())

    def kept(self, name: str, asked: object, kind: type[Sums]) -> Sums | None:
        """Return the sums of a pass, if they are there whole and what was asked for was the same."""
        try:
            content = io.BytesIO((self._path / f"{name}.npz").read_bytes())
            with np.load(content, allow_pickle=False) as archive:
                values = {key: archive[key] for key in archive.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None
        if values.pop("asked", "") != _digest(asked):
            return None
        found = {field.name: values.get(field.name) for field in fields(kind)}  # type: ignore[arg-type]
        return kind(
            **{key: value.item() if value is not None and value.ndim == 0 else value for key, value in found.items()}
        )

    def keep(self, name: str, asked: object, sums: Any) -> None:
        """Write the sums of a pass, whole or not at all."""
        values = {field.name: getattr(sums, field.name) for field in fields(sums)}
        content = io.BytesIO()
        given = {key: np.asarray(value) for key, value in values.items() if value is not None}
        np.savez(content, asked=np.asarray(_digest(asked)), **given)  # type: ignore[arg-type]
        write_whole(self._path / f"{name}.npz", content.getvalue())


def _digest(asked: object) -> str:
    """Return a short text that differs where what is asked of a pass differs."""
    digest = hashlib.sha256()

    def add(value: object) -> None:
        if isinstance(value, np.ndarray):
            digest.update(repr((value.shape, value.dtype.str)).encode())
            digest.update(np.ascontiguousarray(value).tobytes())
        elif hasattr(value, "__dataclass_fields__"):
            for field in fields(value):  # type: ignore[arg-type]
                add(getattr(value, field.name))
        else:
            digest.update(repr(value).encode())

    add(asked)
    return digest.hexdigest()
