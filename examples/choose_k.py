"""Choosing k with confidence
===========================

Three ways to choose the number of directions, on samples that differ in two of them: the elbow of the curve, the share
of W^2, and tests. Only the tests know of chance.
"""

import matplotlib.pyplot as plt
import numpy as np

import subspaceot as sot

rng = np.random.default_rng(3)
X, Y = rng.standard_normal((2, 150, 12))
Y[:, 0] += 1.5
Y[:, 1] *= 2.5
turn = np.linalg.qr(rng.standard_normal((12, 12)))[0]
X, Y = X @ turn, Y @ turn

# %%
# The curve over k, and its elbow: the k after which it rises little. It is read off the shape alone, and here there is
# none.

path = sot.srw_path(X, Y, ks=range(1, 7), tol=1e-2)
print("k           ", *[f"{k:6d}" for k in path.ks])
print("S_k^2       ", *[f"{cost:6.2f}" for cost in path.cost])
print(path.elbow().reason)

# %%
# Tests, one after another. The first one is exact; each direction that is found is projected out before the next.

selected = sot.select_k(X, Y)
for step, p in enumerate(selected.p_values):
    print(f"test {step + 1}: p = {p:.3f}")
print(f"directions found: {selected.k}")
found = np.linalg.svd(turn[:2] @ selected.basis)[1]
print("cosines between the true and the found directions:", found.round(2))

# %%
# Two samples of one law have a curve as well, and sometimes an elbow. Tests find nothing.

one, other = rng.standard_normal((2, 150, 12))
nothing = sot.srw_path(one, other, ks=range(1, 7), tol=1e-2)
print("S_k^2 of one law:", nothing.cost.round(2))
print("directions found:", sot.select_k(one, other).k)

figure, axes = plt.subplots(figsize=(7, 3.5))
axes.plot(path.ks, path.cost, "o-", label="two laws that differ in 2 directions")
axes.plot(nothing.ks, nothing.cost, "o-", label="two samples of one law")
axes.set(xlabel="k", ylabel="S_k^2", ylim=(0.0, None))
axes.legend()
figure.tight_layout()
plt.show()

# %%
# `srw(X, Y, k="auto")` uses the tests, and its `selection` holds them.
