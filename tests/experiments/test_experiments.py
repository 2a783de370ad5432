"""The paper's experiments: rows that obey the theorems, runs that survive a kill, figures that show something."""

import dataclasses
import functools
import json
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
import tolerances

from subspaceot import experiments
from subspaceot.experiments import EXPERIMENTS, Experiment, read_rows, report, run
from subspaceot.experiments import _rows as rows_on_disk

ALONE = [name for name in EXPERIMENTS if name != "text"]  # those that need no files
CURVES = ["hypercube-dimension", "disk-dimension", "gaussians-dimension"]
COMMAND = [sys.executable, "-c", "from subspaceot.cli.reproduce import reproduce; reproduce()"]


@functools.cache
def smoke(name):
    """Return the folder of a finished smoke run, one run per process."""
    folder = Path(tempfile.mkdtemp(prefix="subspaceot-")) / name
    finish(EXPERIMENTS[name], EXPERIMENTS[name].presets["smoke"], folder)
    return folder


def finish(experiment, config, folder, **options):
    for done, total in experiments.reproduce(experiment, config, folder, **options):  # noqa: B007
        pass
    assert done == total


def reproduce(*arguments):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True)


# --- rows against theorems and planted truths ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ALONE)
def test_every_row_has_its_seed_its_status_and_an_interval(name):
    experiment, rows = EXPERIMENTS[name], read_rows(smoke(name))
    config = experiment.presets["smoke"]
    assert (rows["status"].isin(["CONVERGED", "CONVERGED_REGULARISED"])).all()
    assert (rows["lower"] <= rows["upper"] * (1 + tolerances.BOUND)).all()
    assert (rows["lower"] > 0).all()
    assert rows["seed"].nunique() == rows["repeat"].nunique() == config.repeats
    assert list(rows["task"].unique()) == list(range(config.repeats * len(config.settings())))


@pytest.mark.parametrize("name", CURVES)
def test_curves_grow_and_are_concave_within_their_intervals(name):
    rows = read_rows(smoke(name))
    for _, curve in rows.groupby("task"):
        lower, upper = (np.append(0.0, curve[bound]) for bound in ("lower", "upper"))
        slack = tolerances.BOUND * upper[-1]
        assert list(curve["k"]) == list(range(1, len(curve) + 1))
        assert np.all(lower[:-1] <= upper[1:] + slack)
        assert np.all(lower[:-2] + lower[2:] <= 2 * upper[1:-1] + slack)


@pytest.mark.parametrize("name", ["hypercube-dimension", "disk-dimension"])
def test_the_curve_bends_at_the_hidden_dimension(name):
    rows = read_rows(smoke(name))
    for k_star, group in rows.groupby("k_star"):
        increments = group.groupby("k")[["lower", "upper"]].mean().mean(axis=1).diff()
        assert increments[k_star] > 2 * increments[k_star + 1]


def test_gaussians_without_noise_need_ten_dimensions():
    rows = read_rows(smoke("gaussians-dimension"))
    clean = rows[rows["noise"] == 0]
    for _, curve in clean.groupby("task"):
        W2 = curve.iloc[-1]
        at_least_ten = curve[curve["k"] >= 10]
        assert np.all(at_least_ten["lower"] <= W2["upper"])
        np.testing.assert_allclose(at_least_ten["upper"], W2["upper"], rtol=1e-3)
        np.testing.assert_allclose(at_least_ten["lower"], W2["lower"], rtol=1e-3)
        assert curve["upper"].iloc[4] < 0.98 * W2["lower"]  # five do not suffice
    noisy = rows[(rows["noise"] > 0) & (rows["k"] == 10)]
    assert (noisy["upper"] < rows[(rows["noise"] > 0) & (rows["k"] == 20)]["lower"].to_numpy()).all()


def test_hypercube_with_100_points():
    experiment = EXPERIMENTS["hypercube-estimation"]
    config = dataclasses.replace(experiment.presets["paper"], ns=(100,), repeats=40)
    rows = [row for done in run(experiment, config, 0) for row in done.rows]
    error = {
        name: np.mean([abs(8.0 - 0.5 * (row["lower"] + row["upper"])) for row in rows if row["distance"] == name])
        for name in "SW"
    }
    assert error["S"] <= 0.6
    assert error["W"] > 10


@pytest.mark.parametrize(("name", "truth"), [("hypercube-estimation", 8.0), ("disk-estimation", 3.4886543)])
def test_errors_fall_with_the_number_of_points(name, truth):
    rows = read_rows(smoke(name))
    np.testing.assert_allclose(rows["truth"], truth, rtol=1e-7)
    robust = rows[rows["distance"] == "S"]
    middle = 0.5 * (robust["lower"] + robust["upper"])
    for error in ((middle - truth).abs(), robust["subspace_error"]):
        assert error.groupby(robust["n"]).mean().is_monotonic_decreasing
    plain = rows[rows["distance"] == "W"]
    assert (plain["upper"].to_numpy() > 1.3 * robust["upper"].to_numpy()).all()


@pytest.mark.parametrize("name", ["hypercube-plan", "disk-plan"])
def test_plans_carry_all_mass_and_the_robust_one_follows_the_true_map(name):
    from subspaceot.experiments.plans import root_error

    rows = read_rows(smoke(name))
    robust, plain = rows[rows["distance"] == "S"], rows[rows["distance"] == "W"]
    for pairs in (robust, plain):
        assert pairs["mass"].sum() == pytest.approx(1.0, abs=tolerances.MASS)
    assert root_error(robust) < root_error(plain)
    # S_2's plan is the better one in the plane it looks at.
    move = ((rows["x1"] - rows["y1"]) ** 2 + (rows["x2"] - rows["y2"]) ** 2) * rows["mass"]
    assert move[robust.index].sum() < move[plain.index].sum()


@pytest.mark.parametrize("family", ["hypercube", "disk"])
def test_the_true_map_costs_what_the_paper_says(family):
    """The mean squared move of the true map is the truth, within the sampling error of its mean."""
    from subspaceot.experiments._families import FAMILIES

    data = FAMILIES[family].draw(100_000, 3, 2, 0)
    Z = data.X @ data.subspace
    moves = np.sum((FAMILIES[family].true_map(Z) - Z) ** 2, axis=1)
    error = moves.std() / np.sqrt(len(moves))
    assert abs(moves.mean() - data.truth) <= 4 * error + 1e-9


def test_high_noise_changes_the_robust_distance_less():
    from subspaceot.experiments.noise_level import relative_errors

    errors = relative_errors(read_rows(smoke("noise-level")))
    mean = errors.groupby(["sigma", "distance"])["error"].mean().unstack()
    assert (mean["S"][mean.index >= 1] < mean["W"][mean.index >= 1]).all()
    assert (mean.diff().dropna() > 0).all(axis=None)


def test_the_default_is_timed_at_the_gap_that_algorithm_2_reached():
    rows = read_rows(smoke("timing"))
    rows["gap"] = (rows["upper"] - rows["lower"]) / rows["upper"]
    gaps = rows.pivot_table(index="task", columns="method", values="gap")
    assert (gaps["default"] <= gaps["algorithm 2"] + tolerances.BOUND).all()
    assert (rows["seconds"] > 0).all()


def test_curves_over_the_angle_stay_on_their_side_of_the_robust_distance():
    rows = read_rows(smoke("toy"))
    angles = rows[rows["kind"] == "angle"]
    slack = tolerances.BOUND * angles["largest"].max()
    # No projection costs more than S_1^2, no plan's largest eigenvalue is less, and the two eigenvalues are in order.
    assert (angles["cost"] <= angles["upper"] + slack).all()
    assert (angles["largest"] >= angles["lower"] - slack).all()
    assert (angles["cost"] <= angles["largest"] + slack).all()
    assert (angles["smallest"] <= angles["largest"] + slack).all()
    P, S = angles.groupby("example")["cost"].max(), angles.groupby("example")["lower"].first()
    assert P["coincide"] >= (1 - 1e-3) * S["coincide"]  # the best angle lies between two of those tried
    assert P["differ"] < 0.75 * S["differ"]
    # The plans carry all mass, and S_1's has the smaller largest eigenvalue.
    for example in ("coincide", "differ"):
        top = {}
        for kind in "WS":
            moves = rows[(rows["example"] == example) & (rows["kind"] == kind)]
            assert moves["mass"].sum() == pytest.approx(1.0, abs=tolerances.MASS)
            D = moves[["x1", "x2"]].to_numpy() - moves[["y1", "y2"]].to_numpy()
            top[kind] = np.linalg.eigvalsh((D * moves["mass"].to_numpy()[:, None]).T @ D)[-1]
        assert top["S"] == pytest.approx(S[example], rel=tolerances.SPARSE)
        assert top["S"] < top["W"]


# --- texts --------------------------------------------------------------------------------------------------------


@pytest.fixture
def library(tmp_path):
    """Return a folder of three small texts and a file of word vectors: two texts share their words."""
    rng = np.random.default_rng(0)
    sea, war = [f"sea{c}" for c in "abcdefgh"], [f"war{c}" for c in "abcdefgh"]
    words = [f"common{c}" for c in "abcdefghijkl"] + sea + war
    vectors = rng.standard_normal((len(words), 6)) * 0.3
    vectors[12:20, 0] += 3.0
    vectors[20:, 1] += 3.0
    lines = [f"{len(words)} 6"]
    lines += [f"{word} {' '.join(f'{x:.5f}' for x in v)}" for word, v in zip(words, vectors, strict=True)]
    (tmp_path / "tiny.vec").write_text("\n".join(lines) + "\n")
    folder = tmp_path / "scripts"
    folder.mkdir()
    for name, topic in (("ship", sea), ("boat", sea[::-1]), ("army", war)):
        text = " ".join(rng.choice(words[:12], 20).tolist() + rng.choice(topic, 60).tolist())
        (folder / f"{name}.txt").write_text(f"{text} {topic[0].title()} 1st")
    return folder, tmp_path / "tiny.vec"


def test_texts(library, tmp_path, monkeypatch):
    from subspaceot.experiments import text

    small = dataclasses.replace(text.EXPERIMENT.presets["paper"], skip=2)
    monkeypatch.setitem(EXPERIMENTS, "text", dataclasses.replace(text.EXPERIMENT, presets={"smoke": small}))
    scripts, vectors = library
    options = ["--scripts", scripts, "--vectors", vectors, "--out", tmp_path]
    for more, folder in (([], tmp_path / "text"), (["--reg", "0.1"], tmp_path / "text-reg-0.1")):
        answer = invoke("text", *options, *more)
        assert answer.exit_code == 0, answer.output
        rows = read_rows(folder)
        names, values = text.table(rows)
        assert sorted(names) == ["army", "boat", "ship"]
        nearest = {
            name: names[np.argmin(np.where(row > 0, row, np.inf))] for name, row in zip(names, values, strict=True)
        }
        assert (nearest["ship"], nearest["boat"]) == ("boat", "ship")
        assert "army" in text.farthest(rows)
        assert {"table.png", "map.png", "words.png"} <= {file.name for file in folder.iterdir()}
        words = rows[rows["kind"] == "word"]
        assert not words["word"].isin(["commona", "commonb"]).any()  # the two most frequent words were to be skipped
    exact, regularised = (read_rows(tmp_path / name) for name in ("text", "text-reg-0.1"))
    assert (exact["lower"].to_numpy() <= regularised["upper"].to_numpy()).all()
    assert (exact["upper"].to_numpy() >= regularised["lower"].to_numpy()).all()
    (scripts / "ship.txt").write_text("seaa seab seac commond")
    changed = invoke("text", *options)
    assert changed.exit_code == 2
    assert "digest" in changed.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["text"], "text needs both --scripts DIR"),
        (["text", "--reg", "0.1"], "text needs both --scripts DIR"),
        (["timing", "--reg", "0.1"], "timing has no use for them"),
        (["text", "--scripts", "/nowhere", "--vectors", "/nowhere"], "--scripts"),
    ],
)
def test_texts_need_their_files(arguments, words):
    answer = invoke(*arguments)
    assert answer.exit_code == 2
    assert words in answer.output


def test_one_text_is_too_few(library):
    scripts, vectors = library
    for name in ("ship", "boat"):
        (scripts / f"{name}.txt").unlink()
    answer = invoke("text", "--scripts", scripts, "--vectors", vectors)
    assert answer.exit_code == 2
    assert "at least two texts" in answer.output


# --- rows on disk -------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Counting:
    """A config without mathematics: tasks of one to three rows."""

    repeats: int = 3
    status: str = "CONVERGED"

    def settings(self):
        return ("a", 'b,"', "ü")


def count(config, setting, seed):
    lines = 1 + seed % 3
    return [{"setting": setting, "lower": seed / 7, "upper": seed, "status": config.status} for _ in range(lines)]


def picture(rows):
    from matplotlib.figure import Figure

    figure = Figure()
    figure.subplots().plot(rows["lower"], rows["upper"])
    return figure


COUNT = Experiment(
    name="count",
    shows="rows",
    claim="numbers grow.",
    differs="",
    presets={"smoke": Counting()},
    solve=count,
    plots={"figure": picture},
    finding=lambda rows: f"{len(rows)} rows.",
)


def test_a_run_cut_at_any_byte_ends_with_the_same_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: None)  # thousands of them, and no power will fail
    done = list(run(COUNT, Counting(repeats=1), 0))
    rows, seconds = tmp_path / "rows.csv", tmp_path / "seconds.csv"

    def go_on():
        with rows_on_disk.open_rows(tmp_path, {"seed": 0}) as opened:
            for each in done[opened.finished :]:
                opened.append(each)

    go_on()
    whole, times = rows.read_bytes(), seconds.read_bytes()
    assert whole.count(b"\n") >= 6
    for cut in range(len(whole)):
        for share in (0.0, 0.6, 1.0):  # however much of the times is left
            rows.write_bytes(whole[:cut])
            seconds.write_bytes(times[: int(share * cut / len(whole) * len(times))])
            go_on()
            assert rows.read_bytes() == whole


def test_finished_tasks_are_not_solved_again(tmp_path):
    solved = []

    def recorded(config, setting, seed):
        solved.append(setting)
        return count(config, setting, seed)

    watched = dataclasses.replace(COUNT, solve=recorded)
    progress = experiments.reproduce(watched, Counting(), tmp_path)
    for _ in range(5):  # the first answer comes before the first task
        done, total = next(progress)
    progress.close()
    assert (done, total) == (4, 9)
    finish(watched, Counting(), tmp_path)
    assert len(solved) == 9
    finish(watched, Counting(), tmp_path)
    assert len(solved) == 9


def test_fewer_repeats_are_a_prefix(tmp_path):
    finish(COUNT, Counting(repeats=2), tmp_path / "short")
    finish(COUNT, Counting(repeats=5), tmp_path / "long")
    short, long = (tmp_path / name / "rows.csv" for name in ("short", "long"))
    assert long.read_bytes().startswith(short.read_bytes())
    assert len(long.read_bytes()) > len(short.read_bytes())


@pytest.mark.parametrize(
    ("config", "seed", "words"),
    [(Counting(repeats=4), 0, "repeats is 3 there and 4 here"), (Counting(), 1, "seed is 0 there and 1 here")],
)
def test_other_arguments_are_refused(tmp_path, config, seed, words):
    finish(COUNT, Counting(), tmp_path)
    before = (tmp_path / "rows.csv").read_bytes()
    with pytest.raises(ValueError, match=words):
        finish(COUNT, config, tmp_path, seed=seed)
    assert (tmp_path / "rows.csv").read_bytes() == before


def test_rows_of_an_unknown_run_are_refused(tmp_path):
    (tmp_path / "rows.csv").write_text("mine\n1\n")
    with pytest.raises(ValueError, match=r"no run\.json"):
        finish(COUNT, Counting(), tmp_path)
    assert (tmp_path / "rows.csv").read_text() == "mine\n1\n"


def test_two_runs_do_not_share_a_folder(tmp_path):
    progress = experiments.reproduce(COUNT, Counting(), tmp_path)
    next(progress)
    with pytest.raises(ValueError, match="another run"):
        next(experiments.reproduce(COUNT, Counting(), tmp_path))
    progress.close()


def test_tasks_are_appended_in_order(tmp_path):
    second = list(run(COUNT, Counting(), 0))[1]
    with rows_on_disk.open_rows(tmp_path, {}) as rows, pytest.raises(ValueError, match="task 0"):
        rows.append(second)


@pytest.mark.slow
def test_the_number_of_processes_changes_no_byte(tmp_path):
    experiment = EXPERIMENTS["noise-level"]
    finish(experiment, experiment.presets["smoke"], tmp_path, jobs=2)
    assert (tmp_path / "rows.csv").read_bytes() == (smoke("noise-level") / "rows.csv").read_bytes()


KILLED = [
    ("noise-level", 1),
    pytest.param("hypercube-dimension", 2, marks=pytest.mark.slow),
    pytest.param("disk-estimation", 1, marks=pytest.mark.slow),
]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
@pytest.mark.parametrize(("name", "jobs"), KILLED)
def test_killed_and_started_again_ends_with_the_same_rows(tmp_path, name, jobs):
    arguments = [name, "--preset", "smoke", "--out", str(tmp_path), "--jobs", str(jobs)]
    rows = tmp_path / name / "rows.csv"
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not (rows.exists() and rows.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
    whole = (smoke(name) / "rows.csv").read_bytes()
    partial = rows.read_bytes()
    assert 0 < len(partial) < len(whole)
    assert whole.startswith(partial)
    with open(rows, "ab") as file:  # as if the kill had come in the middle of a line
        file.write(whole[len(partial) : len(partial) + 17])
    again = reproduce(*arguments)
    assert again.returncode == 0, again.stderr
    assert rows.read_bytes() == whole
    assert (tmp_path / name / "figure.png").read_bytes() == (report_of(name) / "figure.png").read_bytes()


# --- what a reader sees -------------------------------------------------------------------------------------------


@functools.cache
def report_of(name):
    """Return the folder of a finished smoke run with its figure and summary."""
    report(EXPERIMENTS[name], smoke(name))
    return smoke(name)


@pytest.mark.parametrize("name", ALONE)
def test_figure_and_summary(name):
    from matplotlib.image import imread

    image = imread(report_of(name) / "figure.png")[..., :3]
    assert image.shape[0] > 400
    assert image.shape[1] > 700
    drawn = np.any(image < 0.99, axis=-1)
    assert 0.02 < drawn.mean() < 0.9
    colourful = np.ptp(image, axis=-1) > 0.3
    assert colourful.mean() > 1e-3
    paper, found = (report_of(name) / "summary.txt").read_text().splitlines()
    assert paper == f"paper: {EXPERIMENTS[name].claim}"
    assert found.startswith("found: ")
    assert "nan" not in found
    assert any(character.isdigit() for character in found)
    assert not list(report_of(name).glob(".*"))


def test_the_page_of_results_puts_claim_and_finding_side_by_side(tmp_path):
    runs = report_of("disk-plan").parent
    builder = Path(__file__).parents[2] / "docs" / "build_reproduction.py"
    command = [sys.executable, str(builder), str(runs), "--docs", str(tmp_path)]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    for line in (runs / "disk-plan" / "summary.txt").read_text().splitlines():
        assert line.split(": ", 1)[1][1:] in page  # but for its first letter
    assert EXPERIMENTS["disk-plan"].differs in page
    assert page.count("not run yet") == len(EXPERIMENTS) - 1
    assert (tmp_path / "figures" / "disk-plan.png").stat().st_size > 10_000


def test_the_page_tells_how_far_the_regularised_table_is_off(tmp_path):
    builder = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "build_reproduction.py"))
    rows = {"text": [(1.0, 1.01), (2.0, 2.02)], "text-reg-0.1": [(1.1, 1.5), (2.01, 2.5)]}
    for name, values in rows.items():
        folder = tmp_path / name
        folder.mkdir()
        reg = None if name == "text" else 0.1
        (folder / "run.json").write_text(json.dumps({"experiment": "text", "config": {"reg": reg}}))
        lines = [f"A,{other},distance,{cost},{upper}" for other, (cost, upper) in zip("BC", values, strict=True)]
        (folder / "rows.csv").write_text("\n".join(["first,second,kind,cost,upper", *lines, "A,B,word,9,9"]) + "\n")
    (line,) = builder["error_of_regularised"]({name: tmp_path / name for name in rows})
    assert "off by +0.5 % to +10.0 %; 1 of 2 lie above" in line
    assert builder["error_of_regularised"]({"text-reg-0.1": tmp_path / "text-reg-0.1"}) == []


def test_the_page_shows_every_figure_there_is():
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "reproduction.md").read_text(encoding="utf-8")
    files = [file.name for file in (docs / "figures").iterdir()]
    others = ("performance-", "demo-", "results-")  # of other pages
    figures = {f"figures/{name}" for name in files if not name.startswith(others)}
    assert figures == set(re.findall(r"\]\((figures/[^)]+)\)", page))
    assert all(f"| {name} |" in page or f"[{name}]" in page for name in EXPERIMENTS)


def test_a_figure_does_not_hide_a_failed_solve(tmp_path):
    config = Counting(status="MAX_ITER")
    finish(COUNT, config, tmp_path)
    summary = report(COUNT, tmp_path)
    rows = read_rows(tmp_path)
    assert f"{len(rows)} of {len(rows)} rows missed their tolerance." in summary


# --- the command --------------------------------------------------------------------------------------------------


def invoke(*arguments):
    from click.testing import CliRunner

    from subspaceot.cli.reproduce import reproduce as command

    return CliRunner().invoke(command, list(map(str, arguments)))


def test_list_names_every_experiment_and_what_it_shows():
    answer = invoke("--list")
    assert answer.exit_code == 0
    for experiment in EXPERIMENTS.values():
        assert f"{experiment.name} " in answer.output
        assert experiment.shows in answer.output


def test_command_writes_a_folder_and_prints_the_summary(tmp_path):
    answer = invoke("hypercube-plan", "--out", tmp_path, "--seed", 3)
    assert answer.exit_code == 0, answer.output
    folder = tmp_path / "hypercube-plan"
    assert {file.name for file in folder.iterdir()} == {
        "rows.csv",
        "seconds.csv",
        "run.json",
        "figure.png",
        "summary.txt",
    }
    assert (folder / "summary.txt").read_text() in answer.output
    record = json.loads((folder / "run.json").read_text())
    assert record["seed"] == 3
    assert record["config"]["n"] == 60
    other = invoke("hypercube-plan", "--out", tmp_path, "--seed", 4)
    assert other.exit_code == 2
    assert "seed is 3 there and 4 here" in other.output


def test_all_runs_all(tmp_path, monkeypatch):
    monkeypatch.setattr(experiments, "EXPERIMENTS", {"count": COUNT, "more": dataclasses.replace(COUNT, name="more")})
    answer = invoke("all", "--out", tmp_path)
    assert answer.exit_code == 0, answer.output
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["count", "more"]


@pytest.mark.slow
def test_all_take_at_most_three_minutes(tmp_path):
    start = time.monotonic()
    answer = reproduce("all", "--preset", "smoke", "--jobs", 2, "--out", tmp_path)
    assert time.monotonic() - start <= 180
    assert answer.returncode == 0, answer.stderr
    assert "text is left out" in answer.stderr
    assert {folder.name for folder in tmp_path.iterdir()} == set(ALONE)
    # Two processes here, one there: the same rows all the same, where they hold no times.
    for name in set(ALONE) - {"timing"}:
        assert (tmp_path / name / "rows.csv").read_bytes() == (smoke(name) / "rows.csv").read_bytes()


def test_exit_code_1_when_a_solve_failed(tmp_path, monkeypatch):
    failing = dataclasses.replace(COUNT, presets={"smoke": Counting(status="MAX_ITER")})
    monkeypatch.setattr(experiments, "EXPERIMENTS", {"count": failing})
    answer = invoke("count", "--out", tmp_path)
    assert answer.exit_code == 1
    assert "missed their tolerance" in answer.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "NAME must be one of all, toy, hypercube-dimension"),
        ([], "NAME"),
        (["all", "--jobs", "0"], "--jobs"),
        (["all", "--preset", "huge"], "--preset"),
        (["all", "--seed", "-1"], "--seed"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, words):
    answer = invoke(*arguments)
    assert answer.exit_code == 2
    assert words in answer.output
    assert "Traceback" not in answer.output


def test_out_that_is_a_file(tmp_path):
    file = tmp_path / "file"
    file.write_text("mine")
    answer = invoke("hypercube-plan", "--out", file)
    assert answer.exit_code == 2
    assert file.read_text() == "mine"
