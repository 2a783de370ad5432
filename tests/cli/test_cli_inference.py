"""What commands say of whether a difference is real: found, not found, not asked."""

import json

import numpy as np
import pandas as pd
import pytest
from cli_files import call, refused

import subspaceot as sot

NAMES = list("pqrstu")


def write(folder, **samples):
    """Write tables and return their paths."""
    for name, Z in samples.items():
        frame = Z if isinstance(Z, pd.DataFrame) else pd.DataFrame(Z, columns=NAMES[: Z.shape[1]])
        frame.to_csv(folder / f"{name}.csv", index=False)
    return [folder / f"{name}.csv" for name in samples]


@pytest.fixture
def halves(tmp_path):
    """Return two halves of one data set."""
    Z = np.random.default_rng(5).standard_normal((80, 5))
    return write(tmp_path, odd=Z[::2], even=Z[1::2])


@pytest.fixture
def shifted(tmp_path):
    """Return two samples that differ in the columns q and s."""
    X, Y = np.random.default_rng(1).standard_normal((2, 40, 5))
    Y += [0.0, 1.5, 0.0, -1.5, 0.0]
    return write(tmp_path, a=X, b=Y)


# compare -------------------------------------------------------------------------------------------------------------


def test_halves_of_one_data_set_have_no_difference(halves):
    shown = call("compare", *halves).stdout
    assert "No difference was found: p = 0." in shown
    assert "no proof that there is none" in shown
    assert "Distance S_1 " in shown
    assert "no difference was found, and one direction is shown all the same" in shown
    assert "contribute" not in shown
    assert "Rows of" not in shown
    forced = call("compare", *halves, "--force").stdout
    assert "No difference was found" in forced
    assert "Columns that contribute most" in forced
    assert "Rows of odd with the largest displacement" in forced
    answer = json.loads(call("compare", *halves, "--json").stdout)
    assert (answer["difference"], answer["k_found"], answer["k"]) == (False, 0, 1)
    assert answer["features"] == answer["columns"] == answer["direction"] == []
    assert len(json.loads(call("compare", *halves, "--json", "--force").stdout)["features"]) == 5


def test_a_difference_comes_first_and_then_its_columns(shifted):
    shown = call("compare", *shifted).stdout
    found, far, columns = (shown.index(part) for part in ("A difference was found: p = 0.005", "Distance S_", "share"))
    assert found < far < columns
    listed = shown[shown.index("Columns that") :].splitlines()[2:4]
    assert {line.split()[0] for line in listed} == {"q", "s"}
    assert "199 random labellings, which allow no smaller p, on all rows." in shown


def test_json_has_all_of_the_test(shifted):
    answer = json.loads(call("compare", *shifted, "--json").stdout)
    X, Y = (pd.read_csv(path) for path in shifted)
    test = sot.two_sample_test(X.to_numpy(), Y.to_numpy(), n_permutations=199)
    assert answer["difference"] is True
    assert answer["p_value"] == test.p_value
    assert answer["monte_carlo_error"] == pytest.approx(test.monte_carlo_error)
    assert answer["components"] == [part.name for part in test.components]
    assert answer["component_p_values"] == [part.p_value for part in test.components]
    assert np.abs(answer["direction"]) == pytest.approx(np.abs(test.direction))
    assert answer["direction"][1] > 0.0 > answer["direction"][3]  # from a to b
    assert (answer["n_tested"], answer["m_tested"], answer["n_permutations"]) == (40, 40, 199)
    selection = sot.select_k(X.to_numpy(), Y.to_numpy(), max_k=5)
    assert (answer["k"], answer["k_found"]) == (selection.k, selection.k)
    assert answer["k_p_values"] == list(selection.p_values)


def test_a_k_that_is_asked_for_is_tested_too(halves):
    answer = json.loads(call("compare", *halves, "-k", 3, "--json").stdout)
    assert (answer["k"], answer["k_found"], answer["difference"]) == (3, None, False)


def test_without_a_test(halves):
    shown = call("compare", *halves, "--no-test").stdout
    assert "Not tested whether there is a difference: --no-test" in shown
    assert "p = " not in shown
    assert "Columns that contribute most" in shown
    answer = json.loads(call("compare", *halves, "--no-test", "--json").stdout)
    assert (answer["p_value"], answer["difference"], answer["not_tested"]) == (None, None, "--no-test")
    assert len(answer["features"]) == 5


def test_few_rows_are_compared_without_a_test(tmp_path):
    pair = write(tmp_path, a=np.eye(3), b=np.eye(3) + 1.0)
    shown = call("compare", *pair).stdout
    assert "Not tested whether there is a difference: a has 3 rows, and a test needs at least 4." in shown
    assert "a has 3 rows, and a test needs at least 4. Give more rows" in refused("test", *pair)
    assert "needs at least 4" in refused("pairwise", *pair, "--test")


def test_many_rows_are_tested_in_part(tmp_path, monkeypatch):
    monkeypatch.setattr("subspaceot.tables.thinning.ENTRIES", 100)
    monkeypatch.setattr("subspaceot.tables.thinning.FEWEST_ROWS", 10)
    X, Y = np.random.default_rng(0).standard_normal((2, 60, 5))
    pair = write(tmp_path, a=X, b=Y, c=Y[:30])
    assert "on 20 of 60 rows a side, chosen at random" in call("compare", *pair[:2], "-k", 1).stdout
    answer = json.loads(call("compare", pair[0], pair[2], "-k", 1, "--json").stdout)
    assert (answer["n"], answer["m"], answer["n_tested"], answer["m_tested"]) == (60, 30, 20, 20)
    assert "20 of 60 rows of b" in call("pairwise", *pair, "-k", 1, "--test").stderr


# test ----------------------------------------------------------------------------------------------------------------


def test_test_alone(shifted):
    shown = call("test", *shifted).stdout
    assert "A difference was found: p = 0.001 (Monte Carlo error 0.001)" in shown
    assert "999 random labellings, which allow no smaller p, on all rows" in shown
    assert "Kind: a shift, or a change of spread, along one direction." in shown
    weights = [line.split() for line in shown.splitlines() if line.startswith("  ") and line.split()[0] in NAMES]
    assert [name for name, *_ in weights[:2]] in (["q", "s"], ["s", "q"])


def test_test_finds_nothing_and_lists_nothing(halves):
    shown = call("test", *halves, "--permutations", 99)
    assert shown.exit_code == 0
    assert "No difference was found: p = 0." in shown.stdout
    assert "no proof that there is none" in shown.stdout
    assert "weight" not in shown.stdout
    assert "weight" in call("test", *halves, "--permutations", 99, "--force").stdout
    answer = json.loads(call("test", *halves, "--permutations", 99, "--json").stdout)
    assert (answer["difference"], answer["direction"]) == (False, [])


def test_test_is_the_librarys(shifted):
    X, Y = (pd.read_csv(path).to_numpy() for path in shifted)
    options = ["--permutations", 99, "--seed", 3, "--sequential", "--json"]
    answer = json.loads(call("test", *shifted, *options).stdout)
    test = sot.two_sample_test(X, Y, n_permutations=99, rng=3, sequential=True)
    assert (answer["p_value"], answer["n_permutations"]) == (test.p_value, test.n_permutations)
    assert answer["component_scores"] == pytest.approx([part.score for part in test.components])


def test_a_part_of_the_rows_is_said_to_be_one(shifted):
    result = call("test", *shifted, "--sample", 20, "--permutations", 99)
    assert "on 20 of 40 rows a side, chosen at random" in result.stdout
    answer = json.loads(call("test", *shifted, "--sample", 20, "--permutations", 99, "--json").stdout)
    assert (answer["n"], answer["n_tested"]) == (40, 20)


def test_a_ratio_of_variances_is_named(tmp_path):
    """Its direction has weights in units of the columns; those that are listed are for columns of one scale."""
    X, Y = np.random.default_rng(2).standard_normal((2, 60, 3)) * [1.0, 1.0, 1e-3]
    shown = call("test", *write(tmp_path, a=X, b=Y * [1.0, 1.0, 4.0]), "--permutations", 99).stdout
    assert "Kind: a ratio of variances: along one direction" in shown
    assert "divided by their standard deviations" in shown
    listed = [line.split()[0] for line in shown.splitlines() if line.startswith("  ") and line.split()[0] in NAMES]
    assert listed[0] == "r"


# Units and strata ----------------------------------------------------------------------------------------------------


@pytest.fixture
def donors(tmp_path):
    """Return samples of five donors each: donors differ, populations do not."""
    rng = np.random.default_rng(0)
    samples = {}
    for name in "ab":
        own = 2.0 * rng.standard_normal((5, 3))
        frame = pd.DataFrame(np.repeat(own, 12, axis=0) + rng.standard_normal((60, 3)), columns=NAMES[:3])
        samples[name] = frame.assign(donor=np.repeat([f"{name}{i}" for i in range(5)], 12), day=np.tile([1, 2], 30))
    return write(tmp_path, **samples)


def test_units_are_no_features_and_move_together(donors):
    frames = [pd.read_csv(path) for path in donors]
    X, Y = (frame[NAMES[:3]].to_numpy() for frame in frames)
    units = tuple(frame["donor"].to_numpy() for frame in frames)
    options = ["--ignore", "day", "--permutations", 99, "--json"]
    answer = json.loads(call("test", *donors, "--units", "donor", *options).stdout)
    test = sot.two_sample_test(X, Y, n_permutations=99, units=units)
    assert (answer["d"], answer["p_value"]) == (3, test.p_value)
    assert answer["p_value"] > 0.05
    rows = call("test", *donors, *options)
    assert "'donor'" in rows.stderr
    assert json.loads(rows.stdout)["p_value"] == 0.01  # as if rows were independent
    labels = ["--units", "donor", "--strata", "day"]
    assert json.loads(call("compare", *donors, *labels, "-k", 1, "--no-test", "--json").stdout)["d"] == 3


def test_strata_are_those_of_the_library(donors):
    frames = [pd.read_csv(path) for path in donors]
    X, Y = (frame[NAMES[:3]].to_numpy() for frame in frames)
    options = ["--strata", "day", "--permutations", 99, "--json"]
    answer = json.loads(call("test", *donors, *options).stdout)
    test = sot.two_sample_test(X, Y, n_permutations=99, strata=tuple(frame["day"].to_numpy() for frame in frames))
    assert (answer["d"], answer["p_value"]) == (3, test.p_value)


def test_a_part_of_the_rows_keeps_all_units(donors):
    result = call("test", *donors, "--units", "donor", "--ignore", "day", "--sample", 20, "--permutations", 99)
    assert "on 20 of 60 rows a side" in result.stdout


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--units", "house"], "--units 'house' names no column of"),
        (["--units", "day"], "--units 'day' must name different units in a and in b; 1 is in both."),
        (["--strata", "donor"], "--strata 'donor' must each have rows in a and in b; 'a0' has rows in a only."),
        (["--permutations", "18"], "--permutations"),
        (["--permutations", "19", "--alpha", "0.01"], "--permutations must be at least 1 / --alpha - 1"),
        (["--alpha", "1"], "between 0 and 1, both excluded"),
        (["--alpha", "nan"], "between 0 and 1, both excluded"),
    ],
)
def test_bad_options_are_one_sentence(donors, options, sentence):
    assert sentence in refused("test", *donors, *options)
    assert sentence in refused("compare", *donors, *options)


def test_missing_labels_are_counted(donors, tmp_path):
    frame = pd.read_csv(donors[0])
    frame.loc[0, "donor"] = None
    pair = [*write(tmp_path, gap=frame), donors[1]]
    assert "missing or infinite values: 'donor' 1." in refused("test", *pair, "--units", "donor")
    result = call("test", *pair, "--units", "donor", "--drop-missing", "--permutations", 19)
    assert "left out 1 row of 60" in result.stderr


# pairwise and path ---------------------------------------------------------------------------------------------------


def test_pairs_are_tested_with_holms_correction(shifted, halves, tmp_path):
    files, table = [*shifted, halves[0]], tmp_path / "t.csv"
    options = ["-k", 1, "--test", "--permutations", 99]
    answer = json.loads(call("pairwise", *files, *options, "--json").stdout)
    p, corrected = np.array(answer["p_values"]), np.array(answer["corrected_p_values"])
    X, Y, Z = (pd.read_csv(path).to_numpy() for path in files)
    for i, j, pair in ((0, 1, (X, Y)), (0, 2, (X, Z)), (1, 2, (Y, Z))):
        assert p[i, j] == p[j, i] == sot.two_sample_test(*pair, n_permutations=99, sequential=True).p_value
    assert (p[0, 1], p[1, 2]) == (0.01, 0.01)
    assert p[0, 2] > 0.05
    assert corrected[[0, 1, 0], [1, 2, 2]] == pytest.approx([0.03, 0.03, p[0, 2]])
    shown = call("pairwise", *files, *options, "--table", table).stdout
    assert "p-values corrected for 3 pairs (Holm)" in shown
    assert "0.03*" in shown
    rows = pd.read_csv(table)
    assert rows["p_value"].to_numpy() == pytest.approx(p[np.triu_indices(3, 1)])
    assert rows["corrected_p_value"].to_numpy() == pytest.approx(corrected[np.triu_indices(3, 1)])


def test_too_few_labellings_for_so_many_pairs_are_named(shifted, halves):
    files = [*shifted, halves[0]]
    shown = call("pairwise", *files, "-k", 1, "--test", "--permutations", 19).stdout
    assert "With 19 labellings no corrected p can be below 0.15" in shown
    assert "p_values" not in json.loads(call("pairwise", *files, "-k", 1, "--json").stdout)


def test_the_null_band_of_a_path(shifted, tmp_path):
    X, Y = (pd.read_csv(path).to_numpy() for path in shifted)
    options = ["--kmax", 2, "--null-band", "--permutations", 19]
    picture = tmp_path / "curve.png"
    shown = call("path", *shifted, *options, "--plot", picture).stdout
    assert "Null band: S_k^2 where rows are dealt out anew at random, 19 times" in shown
    assert "no estimate" in shown
    assert picture.stat().st_size > 5000
    answer = json.loads(call("path", *shifted, *options, "--json").stdout)
    band = sot.null_band(X, Y, (1, 2), n_permutations=19, tol=3e-2)
    assert answer["null_mean"] == pytest.approx(band.mean, rel=1e-9)
    assert answer["p_values"] == [0.05, 0.05]
    assert "null_mean" not in json.loads(call("path", *shifted, "--kmax", 1, "--json").stdout)


# The populations -----------------------------------------------------------------------------------------------------


def test_the_interval_of_the_populations_is_the_librarys(shifted):
    X, Y = (pd.read_csv(path).to_numpy() for path in shifted)
    direct = sot.intervals(X, Y, 1)
    answer = json.loads(call("compare", *shifted, "-k", 1, "--json").stdout)
    ends = [answer[f"population_{end}"] for end in ("low", "estimate", "high")]
    assert ends == pytest.approx([direct.low, direct.estimate, direct.high])
    by_name = {row.name: row for row in direct.features}
    for at, name in enumerate(answer["features"]):
        row = by_name[str(NAMES.index(name))]
        assert answer["population_share_lows"][at] == row.low
        assert answer["population_share_highs"][at] == row.high
    shown = call("compare", *shifted, "-k", 1).stdout
    low, high = np.sqrt([direct.low, direct.high])
    assert f"95% confidence interval {low:.4g} to {high:.4g}, in 1 learned direction\n" in shown
    assert "Solver bounds say how well a number is computed for these rows" in shown


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["-k", 4], "with more than 3 directions its bias exceeds its standard error"),
        (["-k", 1, "--sample", 7], "it takes at least 8 rows a side"),
    ],
)
def test_why_there_is_no_interval(shifted, options, reason):
    result = call("compare", *shifted, *options)
    assert f"No confidence interval for the populations: {reason}" in result.stdout
    assert "95%" not in result.stdout
    answer = json.loads(call("compare", *shifted, *options, "--json").stdout)
    assert answer["population_low"] is None
    assert reason in answer["population_reason"]


def test_the_interval_of_donors_is_the_librarys(tmp_path):
    rng = np.random.default_rng(3)
    donor = np.repeat(np.arange(20), 4)
    points = rng.standard_normal((20, 3))[donor] + 0.3 * rng.standard_normal((80, 3))
    points[40:, 0] += 4.0
    frames = {
        name: pd.DataFrame(points[side], columns=NAMES[:3]).assign(donor=donor[side])
        for name, side in (("a", slice(0, 40)), ("b", slice(40, 80)))
    }
    paths = write(tmp_path, **frames)
    X, Y = (pd.read_csv(path)[NAMES[:3]].to_numpy() for path in paths)
    direct = sot.intervals(X, Y, 1, units=(donor[:40], donor[40:]))
    answer = json.loads(call("compare", *paths, "-k", 1, "--units", "donor", "--force", "--json").stdout)
    assert answer["population_low"] == pytest.approx(direct.low)
    assert answer["population_high"] == pytest.approx(direct.high)


def test_five_donors_give_no_interval(donors):
    far = pd.read_csv(donors[1])
    far[NAMES[0]] += 30.0
    far.to_csv(donors[1], index=False)
    result = call("compare", *donors, "-k", 1, "--units", "donor", "--ignore", "day")
    assert "No confidence interval for the populations: it takes at least 8 units a side" in result.stdout


def test_no_interval_without_a_difference(halves):
    assert "No confidence interval for the populations: without a difference" in call("compare", *halves).stdout
    assert json.loads(call("compare", *halves, "--no-test", "--json").stdout)["population_reason"] == "not tested."
