"""What the two-sample test says of data with and without a difference: `python -m benchmarks.real_data`.

Random halves of one class of digits, of benign tumours and of one wine differ by chance alone, so that one split in
twenty is rejected. Malignant and benign tumours, and two wines, differ. All from scikit-learn, columns standardised. T
cells and B cells differ in genes that are known; these data come with scanpy, and are left out without it.
"""

import argparse
import importlib.util
import os
from collections.abc import Iterator
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from sklearn import datasets  # noqa: E402

import subspaceot as sot  # noqa: E402

ALPHA = 0.05
NAMED = 4  # columns of a finding


def halves() -> dict[str, pd.DataFrame]:
    """Return the data in which there is nothing to find."""
    digits, tumours, wines = datasets.load_digits(), datasets.load_breast_cancer(), datasets.load_wine()
    return {
        "images of a 3": table(digits, [3]),
        "benign tumours": table(tumours, [1]),
        "wines of class 1": table(wines, [1]),
    }


def pairs() -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Return the samples that differ."""
    tumours, wines = datasets.load_breast_cancer(), datasets.load_wine()
    found = {}
    for name, data in (("malignant and benign tumours", tumours), ("wines of class 0 and 1", wines)):
        both = table(data, [0, 1])
        first = data.target[np.isin(data.target, [0, 1])] == 0
        found[name] = both[first], both[~first]
    return found


def cells() -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    """Return T cells and B cells by their genes, from `scanpy.datasets.pbmc68k_reduced`; nothing without scanpy."""
    if importlib.util.find_spec("scanpy") is None:
        return {}
    import scanpy

    data = scanpy.datasets.pbmc68k_reduced()
    labels = data.obs["bulk_labels"].astype(str)
    t_cells, b_cells = labels.str.startswith(("CD4+", "CD8+")), labels == "CD19+ B"
    genes = standardised(data.to_df()[t_cells | b_cells])
    return {"T cells and B cells": (genes.loc[t_cells[t_cells].index], genes.loc[b_cells[b_cells].index])}


def table(data: Any, classes: list[int]) -> pd.DataFrame:
    """Return the rows of some classes; each column that varies among them has mean 0 and standard deviation 1."""
    return standardised(pd.DataFrame(data.data, columns=data.feature_names)[np.isin(data.target, classes)])


def standardised(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows of which each column that varies has mean 0 and standard deviation 1."""
    deviation = rows.std(ddof=0)
    return (rows - rows.mean()) / deviation.where(deviation > 0.0, 1.0)


def rejected_splits(rows: pd.DataFrame, splits: int) -> int:
    """Return how many random splits into halves are rejected, with 99 permutations each."""
    rejected = 0
    for split in range(splits):
        rng = np.random.default_rng([0, split])
        order = rng.permutation(len(rows))
        first, second = rows.iloc[order[: len(rows) // 2]], rows.iloc[order[len(rows) // 2 :]]
        rejected += sot.two_sample_test(first, second, n_permutations=99, rng=rng).p_value <= ALPHA
    return rejected


def features(test: sot.TwoSampleTest) -> Iterator[tuple[str, float]]:
    """Yield the columns with the largest shares of the direction that decided, and the shares."""
    shares = test.direction**2
    assert test.columns is not None  # tables have names
    for j in np.argsort(-shares)[:NAMED]:
        yield test.columns[j], float(shares[j])


def main() -> None:
    """Parse the arguments and print what is found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_data", description=__doc__)
    parser.add_argument("--splits", type=int, default=200, metavar="N", help="of each class (default 200)")
    splits = parser.parse_args().splits
    print(f"random halves, {splits} splits, 99 permutations each")
    for name, rows in halves().items():
        n, d = rows.shape
        rejected = rejected_splits(rows, splits)
        print(f"  {f'{n} {name}, d={d}':32s} {rejected:4d} rejected at {ALPHA}: {rejected / splits:.3f}", flush=True)
    print("\ndifferent samples, 999 permutations")
    of_scanpy = cells()
    for name, (X, Y) in (pairs() | of_scanpy).items():
        test = sot.two_sample_test(X, Y)
        print(f"  {len(X)} and {len(Y)} {name}: p = {test.p_value:.3f}, by the {test.leading.name}")
        for column, share in features(test):
            print(f"    {column:30s} {share:6.1%} of the direction", flush=True)
    if not of_scanpy:
        print("  T cells and B cells left out: scanpy is not installed")


if __name__ == "__main__":
    main()
