"""Drift: which week went wrong, and in which features
====================================================

A model was trained on the first weeks of data from twelve sensors. Each later week is compared with them. In week 4
two sensors start to disagree, though each one alone looks as before; in week 6 one of them is off by a constant.
"""

import matplotlib.pyplot as plt
import numpy as np

import subspaceot as sot

SENSORS = [f"sensor {j}" for j in range(12)]
ROWS = 150


def week(rng, number):
    """Return the rows of a week. Sensors 2 and 3 measure the same thing until week 4."""
    rows = rng.standard_normal((ROWS, len(SENSORS)))
    together = 0.9 if number < 4 else 0.0
    rows[:, 3] = together * rows[:, 2] + np.sqrt(1.0 - together**2) * rows[:, 3]
    rows[:, 7] += 1.0 * (number >= 6)
    return rows


rng = np.random.default_rng(1)
reference = np.vstack([week(rng, 0) for _ in range(2)])

# %%
# `sequential=True` stops early in weeks in which nothing has changed. Each week that drifts is named with the features
# in which it does. Seven tests are made, so a week counts if p is at most 0.05 / 7.

scores = []
for number in range(1, 8):
    rows = week(rng, number)
    test = sot.two_sample_test(reference, rows, sequential=True, n_permutations=199)
    scores.append(sot.srw(reference, rows, k=1, tol=1e-2).distance)
    drifts = test.p_value <= 0.05 / 7
    largest = np.argsort(-np.abs(test.direction))[:2]
    where = f"{test.leading.name}: {', '.join(SENSORS[j] for j in sorted(largest))}" if drifts else ""
    print(f"week {number}: p = {test.p_value:.3f} from {test.n_permutations:3d} labellings   {where}")

# %%
# The distance alone is no alarm: it is positive in every week, as two samples of one law are at a distance too. It
# tells how large a drift is, once a test has found it.

figure, axes = plt.subplots(figsize=(7, 3))
axes.plot(range(1, 8), scores, "o-")
axes.set(xlabel="week", ylabel="S_1 to the reference", ylim=(0.0, None))
figure.tight_layout()
plt.show()
