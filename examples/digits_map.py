"""A map of many samples: ten digits, from zero to nine
=====================================================

`pairwise` compares every sample with every other one. Here the samples are the images of each digit, 64 pixels each.
Nearby digits on the map are those that look alike in the two directions that tell them best apart.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import smacof

import subspaceot as sot

images, labels = load_digits(return_X_y=True)
digits = [images[labels == digit][:60] for digit in range(10)]
table = sot.pairwise(digits, k=2, tol=2e-2)
print(table)

# %%
# The nearest and the farthest pair, with solver bounds. Each distance is known to within `tol`, so whether one pair is
# nearer than another can be read off the bounds.

upper_half = np.triu_indices(10, 1)
order = np.argsort(table.distance[upper_half])
for rank in (0, 1, -2, -1):
    i, j = upper_half[0][order[rank]], upper_half[1][order[rank]]
    print(f"{i} and {j}: S_2 = {table.distance[i, j]:.2f}, between {table.lower[i, j]:.2f} and {table.upper[i, j]:.2f}")

# %%
# The heat map of the distances, and the points in the plane whose distances come nearest to them.

starts = np.random.default_rng(0).standard_normal((8, 10, 2))
points, _ = min((smacof(table.distance, init=start, n_init=1) for start in starts), key=lambda found: found[1])
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
shown = left.imshow(table.distance, cmap="cividis")
left.set(xticks=range(10), yticks=range(10), title="S_2 between digits")
figure.colorbar(shown, ax=left, shrink=0.8)
right.scatter(*points.T, alpha=0.0)
for digit, point in enumerate(points):
    right.annotate(str(digit), point, fontsize=16, ha="center", va="center")
right.set(aspect="equal", title="the same as a map")
figure.tight_layout()
plt.show()
