"""Output that cannot be written, and text from data that must not reach the terminal as it is."""

import errno
import json
import os
import subprocess
import sys
import threading
import xml.dom.minidom
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli_files import call, refused

import subspaceot as sot
from subspaceot.cli import main
from subspaceot.runtime.files import write_whole
from subspaceot.runtime.printable import printable, printable_json

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")

ESCAPE = "\x1b[31m"
UNSAFE = "".join(
    map(chr, [*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
)


@pytest.fixture
def folder(tmp_path):
    """Return a folder with two tables, three texts and their word vectors."""
    rng = np.random.default_rng(0)
    for name, shift in (("a", 0.0), ("b", 4.0)):
        pd.DataFrame(rng.standard_normal((6, 2)) + shift, columns=["x", "y"]).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    words = ["king", "queen", "horse", "cart", "apple", "pear"]
    lines = [f"{word} {' '.join(map(str, rng.standard_normal(3).round(3)))}" for word in words]
    (tmp_path / "v.vec").write_text("\n".join(["6 3", *lines]) + "\n")
    (tmp_path / "tales").mkdir()
    for name, text in (("court", "king queen king"), ("farm", "horse cart pear"), ("fruit", "apple pear")):
        (tmp_path / "tales" / f"{name}.txt").write_text(text)
    return tmp_path


CALLS = {
    "compare": ["compare", "a.csv", "b.csv"],
    "compare --json": ["compare", "a.csv", "b.csv", "--json"],
    "test": ["test", "a.csv", "b.csv"],
    "path": ["path", "a.csv", "b.csv"],
    "pairwise": ["pairwise", "a.csv", "b.csv"],
    "text": ["text", "tales", "--vectors", "v.vec", "--skip", "0"],
    "demo": ["demo"],
    "reproduce": ["reproduce", "toy"],
    "help": ["--help"],
    "help of a command": ["compare", "--help"],
    "version": ["--version"],
    "list": ["reproduce", "--list"],
}


def shell(folder, arguments, redirection, **environment):
    """Return the ended process of the command, called by a shell with a redirection."""
    line = f'exec "$0" -m subspaceot "$@" {redirection}'
    variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment}
    command = ["sh", "-c", line, sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300)


# Stdout --------------------------------------------------------------------------------------------------------------


@needs_full
@pytest.mark.parametrize("name", CALLS)
def test_a_full_device_is_one_sentence_and_exit_code_3(folder, name):
    ended = shell(folder, CALLS[name], "> /dev/full")
    assert ended.returncode == 3
    assert ended.stderr == "Error: The answer cannot be printed: No space left on device.\n"


@needs_full
def test_a_full_device_behind_a_buffer_too(folder):
    for arguments in (CALLS["version"], CALLS["compare"]):
        ended = shell(folder, arguments, "> /dev/full", PYTHONUNBUFFERED="")
        assert ended.returncode == 3
        assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_closed_stdout_is_one_sentence_and_exit_code_3(folder, name):
    ended = shell(folder, CALLS[name], ">&-")
    assert ended.returncode == 3
    assert ended.stderr.startswith("Error: Standard output is closed")
    assert len(ended.stderr.splitlines()) == 1


@needs_full
@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full"])
def test_a_stderr_that_is_closed_or_full_is_no_error(folder, redirection):
    (folder / "c.csv").write_text("x,only\n1,2\n3,4\n")  # a remark is due
    for arguments in (["compare", "a.csv", "c.csv"], CALLS["reproduce"]):
        ended = shell(folder, arguments, redirection)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout
    assert shell(folder, ["compare", "no.csv", "a.csv"], redirection).returncode == 2
    assert shell(folder, CALLS["version"], f"> /dev/full {redirection}").returncode == 3


def test_what_was_asked_for_is_written_though_nobody_reads_on(folder):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "subspaceot", *CALLS["compare"], "--plot", "p.png"]
    ended = subprocess.run(command, cwd=folder, stdout=write, stderr=subprocess.PIPE, text=True, timeout=120)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (folder / "p.png").stat().st_size > 5000


@needs_full
def test_a_full_stdout_does_not_keep_the_picture_from_being_written(folder):
    ended = shell(folder, [*CALLS["compare"], "--plot", "p.png"], "> /dev/full")
    assert ended.returncode == 3
    assert (folder / "p.png").stat().st_size > 5000


@pytest.mark.parametrize(("option", "shown"), [([], r"gr\xf6\xdfe"), (["--json"], r"gr\u00f6\u00dfe")])
def test_an_encoding_without_the_letters_of_a_name(folder, option, shown):
    for name in "ab":
        pd.read_csv(folder / f"{name}.csv").rename(columns={"x": "größe"}).to_csv(folder / f"{name}.csv", index=False)
    ended = shell(folder, [*CALLS["compare"], *option], "", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert shown in ended.stdout


# Files ---------------------------------------------------------------------------------------------------------------


FILES = {
    "compare": [("--plot", "p.png")],
    "path": [("--plot", "p.svg")],
    "pairwise": [("--table", "t.csv"), ("--heatmap", "h.png"), ("--map", "m.pdf")],
    "text": [("--table", "t.csv"), ("--heatmap", "h.png"), ("--map", "m.png"), ("--cloud", "c.png")],
}


@needs_full
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("name", FILES)
def test_files_on_a_full_disk_come_after_the_answer(folder, monkeypatch, name, as_json):
    monkeypatch.chdir(folder)
    arguments = [*CALLS[name], *(["--json"] if as_json else [])]
    answer = call(*arguments)
    assert answer.exit_code == 0
    files = [file for _, file in FILES[name]]
    for failing in files:
        Path(failing).unlink(missing_ok=True)
        Path(failing).symlink_to(FULL)
        result = call(*arguments, *(part for option in FILES[name] for part in option))
        assert result.exit_code == 3
        assert result.stdout.startswith(answer.stdout)
        reason = "No space left on device; the answer itself was printed"
        assert result.stderr == f"Error: {failing} cannot be written: {reason}.\n"
        written = [file for file in files if file != failing]
        assert all(Path(file).stat().st_size > 0 for file in written)
        if not as_json:
            rest = result.stdout.removeprefix(answer.stdout).strip()
            assert rest == (f"Written: {', '.join(written)}" if written else "")
        Path(failing).unlink()


def test_several_lost_files_are_one_sentence(folder, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(folder)
    monkeypatch.setattr(os, "replace", full)
    result = call(*CALLS["pairwise"], "--table", "t.csv", "--map", "m.png")
    assert result.exit_code == 3
    lost = "t.csv cannot be written: No space left on device; m.png cannot be written: No space left on device"
    assert result.stderr == f"Error: {lost}; the answer itself was printed.\n"
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@needs_full
@pytest.mark.parametrize(("name", "file"), [("demo", "demo-plane.png"), ("demo", "demo-curve.png")])
def test_the_pictures_of_the_demo_come_after_the_answer(tmp_path, name, file):
    (tmp_path / file).symlink_to(FULL)
    result = call(name, "--out", tmp_path)
    assert result.exit_code == 3
    assert "becomes seven number" in result.stdout
    assert result.stderr.startswith(f"Error: {tmp_path / file} cannot be written: No space left")
    assert len(result.stderr.splitlines()) == 1
    other = {"demo-plane.png": "demo-curve.png", "demo-curve.png": "demo-plane.png"}[file]
    assert result.stdout.endswith(f"\nPictures: {tmp_path / other}\n")


@needs_full
@pytest.mark.parametrize("file", ["figure.png", "summary.txt"])
def test_the_figure_of_an_experiment_comes_after_its_summary(tmp_path, file):
    out = tmp_path / "runs"
    assert call("reproduce", "hypercube-plan", "--out", out).exit_code == 0
    (out / "hypercube-plan" / file).unlink()
    (out / "hypercube-plan" / file).symlink_to(FULL)
    result = call("reproduce", "hypercube-plan", "--out", out)
    assert result.exit_code == 3
    assert "\nfound: " in result.stdout
    assert f"{file} cannot be written: No space left on device; the answer itself was printed." in result.stderr


def test_rows_on_a_full_disk_are_exit_code_3(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    result = call("reproduce", "hypercube-plan", "--out", tmp_path / "runs")
    assert result.exit_code == 3
    assert result.stderr == "Error: No space left on device. Free some disk space, then call again.\n"


def test_an_unreached_tolerance_weighs_less_than_a_lost_file(folder, monkeypatch):
    from functools import partial

    monkeypatch.setattr("subspaceot.distances.srw", partial(sot.srw, max_iter=1))
    arguments = ["compare", folder / "a.csv", folder / "b.csv", "-k", 1, "--tol", "1e-12"]
    assert call(*arguments).exit_code == 1
    monkeypatch.setattr(
        "subspaceot.cli._write.write_whole", lambda *_: (_ for _ in ()).throw(OSError(errno.EIO, "broken"))
    )
    result = call(*arguments, "--plot", folder / "p.png")
    assert result.exit_code == 3
    assert "Not converged" in result.stdout


@pytest.mark.parametrize("name", FILES)
def test_obviously_unwritable_files_are_bad_input(folder, monkeypatch, name):
    monkeypatch.chdir(folder)
    for option, file in FILES[name]:
        assert "does not exist" in refused(*CALLS[name], option, f"a.csv/{file}")
        assert "File name too long" in refused(*CALLS[name], option, "x" * 300 + file)


def test_a_folder_that_cannot_be_made_is_bad_input(folder):
    assert "File exists" in refused("demo", "--out", folder / "a.csv")
    assert "Not a directory" in refused("demo", "--out", folder / "a.csv" / "new")
    assert "Not a directory" in refused("reproduce", "toy", "--out", folder / "a.csv" / "new")


def test_pictures_without_matplotlib_are_refused_before_any_work(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "Pictures need matplotlib" in refused(
        "compare", folder / "a.csv", folder / "b.csv", "--plot", folder / "p.png"
    )


def test_a_link_stays_a_link_and_a_long_name_fits(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    write_whole(tmp_path / "link.csv", b"content")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "target.csv").read_bytes() == b"content"
    longest = tmp_path / ("x" * 251 + ".csv")
    write_whole(longest, b"content")
    assert longest.read_bytes() == b"content"


# Control characters --------------------------------------------------------------------------------------------------


def test_printable_escapes_each_and_changes_nothing_else():
    for character in UNSAFE:
        shown = printable(f"a{character}b")
        assert shown == f"a{character!r}b".replace("'", "")
        assert shown.isprintable()
        assert json.loads(printable_json(f'"{json.dumps(character, ensure_ascii=False)[1:-1]}"')) == character
        assert character not in printable_json(json.dumps(character, ensure_ascii=False))
    for text in ("größe", "日本語", "\u0645\u06cc\u200c\u062e\u0648\u0627", "\\x1b", "a b", "'\"", "👩\u200d🔬"):
        assert printable(text) == text
    assert printable("\udcff") == r"\udcff"


def assert_safe(result):
    """Assert that what reached the terminal holds no control character but our ends of lines."""
    assert not set(result.output) & (set(UNSAFE) - {"\n"})


def test_no_column_group_or_file_name_controls_the_terminal(tmp_path):
    name = "x" + UNSAFE.replace("\r", "").replace("\x00", "") + ESCAPE
    frame = pd.DataFrame(
        {name: [0.0, 1.0, 5.0, 7.0], "g": [f"{name}1", f"{name}1", f"{name}2", f"{name}2"], f"t{name}": list("abcd")}
    )
    path = tmp_path / f"{ESCAPE}\u202e\n.parquet"
    frame.to_parquet(path)
    plain = call("compare", path, "--group", "g")
    assert plain.exit_code == 0
    assert_safe(plain)
    assert r"\x1b[31m1 and g = " in plain.stdout
    assert r"\x1b[31m2: 2 rows against 2 rows, 1 column" in plain.stdout.splitlines()[0]
    assert any(line.startswith("  x\\x01\\x02") for line in plain.stdout.splitlines())
    assert "not numbers" in plain.stderr
    answer = call("compare", path, "--group", "g", "--json")
    assert_safe(answer)
    assert json.loads(answer.stdout)["features"] == [name]
    for command in ("path", "pairwise", "test"):
        frame = pd.concat([frame] * 2 if command == "test" else [frame])
        frame.to_parquet(path)
        frame.assign(**{name: frame[name] + 1.0}).to_parquet(tmp_path / f"b{ESCAPE}.parquet")
        result = call(command, path, tmp_path / f"b{ESCAPE}.parquet")
        assert result.exit_code == 0
        assert_safe(result)
        assert r"\x1b[31m" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", f"{ESCAPE}.csv", "x.csv"],
        ["compare", "a.csv", "a.csv", "--weights", ESCAPE],
        ["compare", "a.csv", "a.csv", "--ignore", ESCAPE],
        ["compare", "a.csv", "--group", ESCAPE],
        ["compare", "a.csv", "b.csv", "--plot", f"{ESCAPE}.gif"],
        ["compare", "a.csv", "b.csv", "--plot", f"{ESCAPE}/p.png"],
        ["compare", "a.csv", "b.csv", f"--{ESCAPE}"],
        ["compare", "a.csv", "b.csv", "-k", ESCAPE],
        [ESCAPE],
        ["reproduce", ESCAPE],
        ["text", "tales", "--vectors", f"{ESCAPE}\n"],
        ["text", f"{ESCAPE}\n", "--vectors", "v.vec"],
        ["text", "tales", "--vectors", "v.vec", "--pair", ESCAPE, "farm"],
    ],
)
def test_no_error_quotes_control_characters(folder, monkeypatch, capsys, arguments):
    monkeypatch.chdir(folder)
    assert main(arguments) == 2
    _, err = capsys.readouterr()
    assert len(err.splitlines()) == 1
    assert r"\x1b[31m" in err
    assert "\x1b" not in err


def test_words_and_texts_do_not_control_the_terminal(folder, monkeypatch):
    monkeypatch.chdir(folder)
    vectors = Path("v.vec").read_text().replace("pear", f"pear{ESCAPE}").replace("cart", "cart\u202e")
    Path("v.vec").write_text(vectors)
    Path("tales/farm.txt").rename(f"tales/farm{ESCAPE}\n.txt")
    result = call(*CALLS["text"])
    assert result.exit_code == 0
    assert_safe(result)
    assert r"farm\x1b[31m\n" in result.stdout
    result = call("reproduce", "text", "--scripts", "tales", "--vectors", "v.vec")
    assert result.exit_code == 2  # ten words are fewer than those that are left out
    assert_safe(result)


def test_a_file_name_that_is_not_utf8(folder):
    if sys.platform in ("darwin", "win32"):
        pytest.skip("this system allows no such name")
    odd = os.fsdecode(b"\xff.csv")
    (folder / odd).write_bytes((folder / "a.csv").read_bytes())
    for option in ([], ["--json"]):
        ended = shell(folder, ["compare", odd, "b.csv", *option], "", PYTHONUTF8="1")
        assert (ended.returncode, ended.stderr) == (0, "")
        assert r"\udcff" in ended.stdout
    table = folder / "t.csv"
    assert call("pairwise", folder / odd, folder / "b.csv", "--table", table).exit_code == 0
    assert b"\xff,b," in table.read_bytes()


@pytest.mark.parametrize(
    "name", [r"$\frac$", "$$", "_hidden", ESCAPE, "two\nlines", "日本", "x" * 500, "<&-->", "\u202e"]
)
def test_any_name_can_be_drawn(folder, monkeypatch, name):
    monkeypatch.chdir(folder)
    both = pd.concat([pd.read_csv(f).assign(kind=f"{name}{f}") for f in ("a.csv", "b.csv")])
    both.to_parquet("both.parquet")
    for command in ("compare", "path"):
        assert call(command, "both.parquet", "--group", "kind", "--plot", "p.svg").exit_code == 0
        xml.dom.minidom.parse("p.svg")  # a control character would make it invalid
    for at, letter in enumerate("ab"):
        Path(f"{name[:80].replace('/', '')}{at}.csv").write_bytes(Path(f"{letter}.csv").read_bytes())
    files = [Path(f"{name[:80].replace('/', '')}{at}.csv") for at in (0, 1)]
    assert call("pairwise", *files, "--heatmap", "h.svg", "--map", "m.svg").exit_code == 0
    for file in files:
        file.rename(Path("tales") / f"{file.stem}.txt")
    (Path("tales") / f"{files[0].stem}.txt").write_text("king queen")
    (Path("tales") / f"{files[1].stem}.txt").write_text("horse pear")
    assert call(*CALLS["text"], "--pair", files[0].stem, files[1].stem, "--cloud", "c.svg").exit_code == 0
    for file in ("h.svg", "m.svg", "c.svg"):
        xml.dom.minidom.parse(file)


# Input that can be read once -----------------------------------------------------------------------------------------


def forms(folder):
    """Return the content of one table in every form that can be told from its first bytes."""
    frame = pd.read_csv(folder / "a.csv")
    frame.to_parquet(folder / "a.parquet")
    np.save(folder / "a.npy", frame.to_numpy())
    np.savez(folder / "a.npz", frame.to_numpy())
    return {form: (folder / f"a.{form}").read_bytes() for form in ("csv", "parquet", "npy", "npz")}


@contextmanager
def fed(path, content):
    """Write to a named pipe while the command reads from it."""
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    yield
    writer.join(timeout=60)
    assert not writer.is_alive()


@needs_fifo
@pytest.mark.parametrize("ending", ["", ".{form}"])
@pytest.mark.parametrize("form", ["csv", "parquet", "npy", "npz"])
def test_a_pipe_is_read_like_a_file(folder, form, ending):
    content = forms(folder)[form]
    other = folder / ("b.csv" if form in ("csv", "parquet") else "b.npy")
    np.save(folder / "b.npy", pd.read_csv(folder / "b.csv").to_numpy())
    expected = json.loads(call("compare", folder / f"a.{form}", other, "--json").stdout)
    pipe = folder / f"pipe{ending.format(form=form)}"
    with fed(pipe, content):
        result = call("compare", pipe, other, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {**expected, "first": str(pipe)}


@needs_fifo
def test_an_empty_pipe_and_one_of_unknown_form(folder):
    for name, content, sentence in (("empty", b"", "empty is empty"), ("x.dat", b"x,y\n1,2\n", "must end in .csv")):
        with fed(folder / name, content):
            assert sentence in refused("compare", folder / name, folder / "b.csv")
    with fed(folder / "tabs", b"x\ty\n1\t2\n"):
        assert "add --separator $'\\t'" in refused("compare", folder / "tabs", folder / "b.csv")
    with fed(folder / "vectors", (folder / "v.vec").read_bytes()):
        assert call("text", folder / "tales", "--vectors", folder / "vectors", "--skip", 0).exit_code == 0
    os.mkfifo(folder / "unread")
    arguments = ["reproduce", "text", "--scripts", folder / "tales", "--vectors", folder / "unread"]
    assert "read more than once" in refused(*arguments)


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="this system has no /dev/stdin")
@pytest.mark.parametrize("redirection", ["< a.csv", "0<&0"])
def test_stdin_is_read_like_a_file(folder, redirection):
    expected = json.loads(call("compare", folder / "a.csv", folder / "b.csv", "--json").stdout)
    command = f'"$0" -m subspaceot compare /dev/stdin b.csv --json {redirection}'
    run = ["sh", "-c", command, sys.executable]
    ended = subprocess.run(run, cwd=folder, input=(folder / "a.csv").read_bytes(), capture_output=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert json.loads(ended.stdout) == {**expected, "first": "/dev/stdin"}


# Integers that a double cannot hold ----------------------------------------------------------------------------------

BIG = 2**53 + 1
FORTY = 1234567890123456789012345678901234567890


def large(tmp_path, ending, values):
    """Return a file with the columns x and id, the latter of these values."""
    path = tmp_path / f"large.{ending}"
    x = [float(i) for i in range(len(values))]
    if ending == "csv":
        lines = [f"{a},{'' if b is None else b}" for a, b in zip(x, values, strict=True)]
        path.write_text("\n".join(["x,id", *lines]) + "\n")
    else:
        pq.write_table(pa.table({"x": x, "id": values}), path)
    return path


@pytest.mark.parametrize(
    ("ending", "values", "shown"),
    [
        ("csv", [BIG, 1], f"row 1 is {BIG}, and the nearest double is {2**53}"),
        ("csv", [1, -BIG], f"row 2 is -{BIG}, and the nearest double is -{2**53}"),
        ("csv", [None, 1, BIG], f"row 3 is {BIG}"),
        ("csv", [0.5, BIG], f"row 2 is {BIG}"),
        ("csv", [2**64 - 1, 1], f"row 1 is {2**64 - 1}, and the nearest double is 1.8446744073709552e+19"),
        ("csv", [2**64 - 1, -1], f"row 1 is {2**64 - 1}"),
        ("csv", [FORTY, 1], f"row 1 is {FORTY}, and the nearest double is 1.2345678901234568e+39"),
        ("csv", [None, FORTY], f"row 2 is {FORTY}"),
        ("csv", [0.5, FORTY], f"row 2 is {FORTY}"),
        ("csv", [10**350, 1], "row 1 is 10000000000000000000... (351 digits), and the nearest double is inf"),
        ("parquet", pa.array([BIG, 1], pa.int64()), f"row 1 is {BIG}"),
        ("parquet", pa.array([None, BIG], pa.int64()), f"row 2 is {BIG}"),
        ("parquet", pa.array([2**64 - 1, 1], pa.uint64()), f"row 1 is {2**64 - 1}"),
        ("parquet", pa.array([None, 2**64 - 1], pa.uint64()), f"row 2 is {2**64 - 1}"),
        ("parquet", pa.array([Decimal(BIG), Decimal(1)], pa.decimal128(30, 0)), f"row 1 is {BIG}"),
    ],
)
def test_integers_are_never_rounded_in_silence(tmp_path, ending, values, shown):
    path = large(tmp_path, ending, values)
    said = refused("compare", path, path, "--drop-missing")
    assert f"Column 'id' of {path} holds integers that double precision would round: {shown}" in said
    assert "--ignore 'id'" in said
    assert call("compare", path, path, "--ignore", "id").exit_code == 0
    said = refused("compare", path, path, "--drop-missing", "--weights", "id")
    assert "would round" in said
    assert "--ignore" not in said


def test_large_integers_may_name_groups(tmp_path):
    path = large(tmp_path, "csv", [FORTY, FORTY, FORTY + 1, FORTY + 1])
    answer = json.loads(call("compare", path, "--group", "id", "--json").stdout)
    assert (answer["first"], answer["second"]) == (f"id = {FORTY}", f"id = {FORTY + 1}")
    assert answer["wasserstein_cost"] == pytest.approx(4.0)


def test_a_column_that_is_text_in_the_other_file_is_left_out(tmp_path):
    path = large(tmp_path, "csv", [FORTY, 1])
    (tmp_path / "b.csv").write_text("x,id\n1,a\n2,b\n")
    result = call("compare", path, tmp_path / "b.csv")
    assert result.exit_code == 0
    assert "not numbers: 'id'" in result.stderr


def test_arrays_of_large_integers_too(tmp_path):
    for dtype in (np.int64, np.uint64):
        np.save(tmp_path / "a.npy", np.array([[1, 2], [BIG, 3]], dtype))
        assert f"Column '0' of {tmp_path / 'a.npy'} holds integers" in refused("compare", *[tmp_path / "a.npy"] * 2)


@pytest.mark.parametrize(
    ("ending", "values"),
    [
        ("csv", [2**53, -(2**53)]),
        ("csv", [2**60, 2**63]),
        ("csv", [2**100, -(2**64)]),
        ("csv", [2**100, 0.5]),
        ("csv", [f"{BIG}.0", "1e300"]),  # what has a decimal point stands for the nearest double
        ("parquet", pa.array([2**62, -(2**62)], pa.int64())),
        ("parquet", pa.array([Decimal("1.25"), Decimal("-3.10")], pa.decimal128(10, 2))),
        ("parquet", pa.array([Decimal(2**80), Decimal(1)], pa.decimal128(38, 0))),
    ],
)
def test_numbers_that_a_double_holds_are_read_exactly(tmp_path, ending, values):
    from subspaceot.cli._files import read_table

    table = read_table(str(large(tmp_path, ending, values)))
    assert table.inexact == {}
    expected = [float(value) for value in (values.to_pylist() if ending == "parquet" else values)]
    assert table.frame["id"].tolist() == expected
    assert table.frame["id"].dtype.kind in "iuf"


def test_text_that_looks_like_numbers_stays_text(tmp_path):
    pq.write_table(pa.table({"x": [1.0, 2.0], "zip": ["01234", "56789"]}), tmp_path / "a.parquet")
    result = call("compare", *[tmp_path / "a.parquet"] * 2)
    assert "left out, as they are not numbers: 'zip'" in result.stderr
    path = large(tmp_path, "csv", [FORTY, "oops", 3, 4])
    assert "'id' (row 2 holds 'oops'; 3 others are numbers)" in call("compare", path, path).stderr


def test_dates_are_left_out_with_the_reason_and_advice(tmp_path):
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    frame = pd.DataFrame(
        {"x": [1.0, 2.0], "at": days, "zone": days.tz_localize("UTC"), "on": days.date, "clock": days.time}
    )
    frame["took"] = frame["at"] - days[0]
    frame.to_parquet(tmp_path / "a.parquet")
    result = call("compare", *[tmp_path / "a.parquet"] * 2)
    assert result.exit_code == 0
    note = "note: left out, as they are dates or times: 'at', 'zone', 'on', 'clock', 'took'; to compare them, turn them"
    assert result.stderr.startswith(note)
    frame[["at", "on"]].to_parquet(tmp_path / "b.parquet")
    assert "share no column of numbers" in refused("compare", *[tmp_path / "b.parquet"] * 2)


# Exit codes ----------------------------------------------------------------------------------------------------------


def test_help_and_page_name_every_exit_code():
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    text = " ".join(call("--help").stdout.split())
    for code, words in (
        (0, "all well"),
        (1, "did not converge"),
        (2, "bad input"),
        (3, "output that could not be"),
        (130, "stopped by"),
    ):
        assert f"| {code} | {words}" in page
        assert f"{code} {words}" in text
