"""Wine: three cultivars, each against each
=========================================

178 wines of three cultivars, 13 chemical measurements each. Are all three different, and which is nearest to which?
"""

import itertools

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine

import subspaceot as sot

table = load_wine(as_frame=True).frame
prepared = sot.prepare({f"cultivar {kind}": part.drop(columns="target") for kind, part in table.groupby("target")})
print(prepared.report)

# %%
# Distances with solver bounds, all in one call. They say how far apart these bottles are.

names, samples = list(prepared.measures), list(prepared.measures.values())
distances = sot.pairwise(samples, k=2)
for i, j in itertools.combinations(range(3), 2):
    bounds = f"{distances.lower[i, j]:.3f} to {distances.upper[i, j]:.3f}"
    print(f"{names[i]} and {names[j]}: S_2 = {distances.distance[i, j]:.3f}, solver bounds {bounds}")

# %%
# Whether the cultivars differ is another question, about wines that are not in the table. Three tests are made, so the
# p-values are multiplied as Holm's method says.

points = [np.asarray(sample[0] if isinstance(sample, tuple) else sample) for sample in samples]
pairs = list(itertools.combinations(range(3), 2))
tests = {(i, j): sot.two_sample_test(points[i], points[j], n_permutations=299) for i, j in pairs}
largest = 0.0
for rank, ((i, j), test) in enumerate(sorted(tests.items(), key=lambda item: item[1].p_value)):
    largest = max(largest, min(1.0, (3 - rank) * test.p_value))
    print(f"{names[i]} and {names[j]}: p = {test.p_value:.3f}, corrected {largest:.3f}, by the {test.leading.name}")

# %%
# The measurements that contribute most to each pair.

figure, panels = plt.subplots(1, 3, figsize=(10, 3.2), sharex=True)
for (i, j), panel in zip(itertools.combinations(range(3), 2), panels, strict=True):
    rows = list(sot.srw(samples[i], samples[j], k=2, tol=1e-2).features())[:4]
    best = ", ".join(f"{row['name']} {row['share']:.0%}" for row in rows)
    print(f"{names[i]} and {names[j]}: {best}")
    panel.barh([row["name"] for row in rows][::-1], [row["share"] for row in rows][::-1])
    panel.set(title=f"{names[i]} and {names[j]}", xlabel="share of S_2^2")
figure.tight_layout()
plt.show()
