"""Tumours: which measurements tell malignant from benign
======================================================

30 measurements of 569 tumours, which ship with scikit-learn. They correlate strongly, so that almost every one of them
differs on its own; the question is in how many directions, and which measurements carry them.
"""

# %%
# Columns have units of their own, and the distance is not invariant to them. `prepare` divides each by its standard
# deviation and says what it did.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import subspaceot as sot

table = load_breast_cancer(as_frame=True).frame
table["target"] = table["target"].map({0: "malignant", 1: "benign"})
prepared = sot.prepare(table, group="target")
print(prepared.report)

# %%
# A test of all columns at once, and the distance in the direction that it finds.

test = sot.two_sample_test(prepared.X, prepared.Y, n_permutations=199)
print(test)
result = sot.srw(prepared.X, prepared.Y, k=1)
print(result)

# %%
# A second pair of halves would give other shares. The confidence intervals say how far other.

intervals = sot.intervals(prepared.X, prepared.Y, k=1)
features = result.features(intervals)
for row in list(features)[:8]:
    print(f"{row['name']:24s} {row['share']:6.1%}   {row['low']:.1%} to {row['high']:.1%}")

# %%
# Along that direction the two kinds hardly overlap.

rows = [np.asarray(result.project(side)).ravel() for side in (prepared.X, prepared.Y)]
figure, axes = plt.subplots(figsize=(7, 3.5))
bins = np.linspace(min(map(np.min, rows)), max(map(np.max, rows)), 40)
for values, name in zip(rows, ("malignant", "benign"), strict=True):
    axes.hist(values, bins, alpha=0.6, label=f"{name}, {len(values)} tumours", density=True)
axes.set(xlabel="coordinate along the first direction, in standard deviations", ylabel="density")
axes.legend()
plt.show()
