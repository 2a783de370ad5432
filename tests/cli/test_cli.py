"""The command as a person calls it: help, exit codes, Ctrl-C, pipes, whole files or none."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_files import call

from subspaceot.cli import _main, main
from subspaceot.cli._write import require_writable
from subspaceot.runtime.files import write_whole

COMMANDS = ["demo", "compare", "test", "path", "pairwise", "text"]
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def started(*arguments, **options):
    """Return the command as a process of its own."""
    command = [sys.executable, "-m", "subspaceot", *map(str, arguments)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ONE_THREAD, **options
    )


def test_help_names_every_command_and_loads_none():
    code = "import sys; from subspaceot.cli import main; code = main(['--help']); print(code, *sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    *text, last = run.stdout.splitlines()
    for name in (*COMMANDS, "reproduce"):
        assert any(line.startswith(f"  {name} ") for line in text)
    code, *modules = last.split()
    assert code == "0"
    assert not {"numpy", "pandas", "matplotlib", "ot", "sklearn", "rich", "scipy"} & set(modules)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(name):
    result = call(name, "--help")
    assert result.exit_code == 0
    assert f"  subspaceot {name}" in result.stdout
    assert "Example" in result.stdout


def test_version(capsys):
    assert main(["--version"]) == 0
    assert "subspaceot" in capsys.readouterr().out


def test_bad_calls_are_one_sentence_and_exit_code_2(capsys, tmp_path):
    for arguments in (
        ["frobnicate"],
        ["compare"],
        ["compare", "--frob"],
        ["compare", str(tmp_path / "no.csv"), "x.csv"],
    ):
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        assert err.startswith("Error: ")


def test_a_mistake_of_ours_keeps_its_traceback(monkeypatch, tmp_path):
    def broken(*_, **__):
        raise ValueError("a bug")

    (tmp_path / "a.csv").write_text("x\n1\n")
    monkeypatch.setattr("subspaceot.tables.choice.choose_k", broken)
    with pytest.raises(ValueError, match="a bug"):
        main(["compare", str(tmp_path / "a.csv"), str(tmp_path / "a.csv"), "--no-test"])


def test_without_click_the_extra_is_named(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "click", None)
    monkeypatch.delitem(sys.modules, "subspaceot.cli._main")
    assert main([]) == 2
    assert "pip install 'subspaceot[cli]'" in capsys.readouterr().err
    monkeypatch.undo()
    assert sys.modules["subspaceot.cli._main"] is _main


def test_a_missing_package_is_named(monkeypatch, tmp_path):
    (tmp_path / "a.csv").write_text("x\n1\n")
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = call("compare", tmp_path / "a.csv", tmp_path / "a.csv")
    assert result.exit_code == 2
    assert "needs the package pandas" in result.stderr


def test_as_a_process(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.csv").write_text("x,y\n4,6\n")
    process = started("compare", "a.csv", "b.csv", cwd=tmp_path)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "solver bounds 4.99999 to 5.00001" in out
    assert err == ""
    process = started("compare", "a.csv", "c.csv", cwd=tmp_path)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert err == "Error: c.csv does not exist. Check the name and the folder.\n"


def test_ctrl_c_prints_what_is_known_and_leaves_nothing_half_written(tmp_path):
    rows = "\n".join(f"{i},{(i * i) % 97},{(i * 31) % 89}" for i in range(1500))
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"x,y,z\n{rows}\n" + ("5,5,5\n" if name == "b" else ""))
    process = started("compare", "a.csv", "b.csv", "--plot", "p.png", "--tol", "1e-12", cwd=tmp_path)
    time.sleep(4.0)
    over = process.poll() is not None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert not over, f"the call ended before it could be interrupted: {err}"
    assert process.returncode == 130
    if out:  # by then a distance was being computed
        assert "solver bounds" in out
        assert "Ctrl-C again ends at once" in err
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "p.png") == ["a.csv", "b.csv"]


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    process = started("compare", "a.csv", "a.csv", cwd=tmp_path)
    process.stdout.close()
    assert process.wait(timeout=120) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


# Files ---------------------------------------------------------------------------------------------------------------


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "x.png"
    write_whole(path, b"old")
    assert path.read_bytes() == b"old"

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["x.png"]


def test_a_new_file_is_as_readable_as_any(tmp_path):
    write_whole(tmp_path / "x.png", b"")
    (tmp_path / "y.png").write_bytes(b"")
    assert (tmp_path / "x.png").stat().st_mode == (tmp_path / "y.png").stat().st_mode


def test_what_cannot_be_written_is_refused_before(tmp_path):
    (tmp_path / "folder.png").mkdir()
    for path, sentence in (
        (tmp_path / "x.gif", "must end in"),
        (tmp_path / "folder.png", "is a folder"),
        (tmp_path / "nowhere" / "x.png", "does not exist"),
    ):
        with pytest.raises(Exception, match=sentence):
            require_writable(path, ("png",))
    require_writable(Path("x.PNG"), ("png",))


# Demo ----------------------------------------------------------------------------------------------------------------


def test_demo_writes_two_pictures(tmp_path):
    result = call("demo", "--out", tmp_path / "new")
    assert result.exit_code == 0
    assert "182 images of a one against 179 of a seven" in result.stdout
    for name in ("demo-plane.png", "demo-curve.png"):
        assert (tmp_path / "new" / name).stat().st_size > 20_000
        assert name in result.stdout
