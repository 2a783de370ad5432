"""Cells of several donors: units that move together
==================================================

Cells of one donor resemble each other, whatever was done to them. A test that permutes cells one by one takes that for
an effect of the treatment. Here counts of 40 genes are made up: four donors are treated, four are not, each with 60
cells and an expression profile of its own. The treatment changes one programme of six genes.
"""

import matplotlib.pyplot as plt
import numpy as np

import subspaceot as sot

GENES, DONORS, CELLS = 40, 4, 60
PROGRAMME = np.arange(6)


def cells(rng, effect):
    """Return the logarithms of counts (DONORS * CELLS, GENES) and the donor of each cell."""
    base = rng.gamma(2.0, 2.0, GENES) if effect is None else effect
    donor = np.repeat(np.arange(DONORS), CELLS)
    profile = base * np.exp(0.25 * rng.standard_normal((DONORS, GENES)))
    return np.log1p(rng.poisson(profile[donor])), donor


rng = np.random.default_rng(0)
expression = rng.gamma(2.0, 2.0, GENES)
changed = expression.copy()
changed[PROGRAMME] *= 3.0
control, donor_of_control = cells(rng, expression)
placebo, donor_of_placebo = cells(rng, expression)
treated, donor_of_treated = cells(rng, changed)

# %%
# Donors that got nothing, against donors that got nothing. Cell by cell there is "a difference", between donors.

wrong = sot.two_sample_test(control, placebo, n_permutations=199)
right = sot.two_sample_test(control, placebo, units=(donor_of_control, donor_of_placebo + DONORS))
print(f"placebo, cells permuted one by one: p = {wrong.p_value:.3f}")
print(f"placebo, donors as units:           p = {right.p_value:.3f}")
print(f"the smallest p that {DONORS} donors a side can give: {right.smallest_p:.3f}")

# %%
# The treatment stands out from all labellings of the donors: p is the smallest that there is. More donors would make
# it smaller, more cells do not.

test = sot.two_sample_test(control, treated, units=(donor_of_control, donor_of_treated + DONORS))
print(f"treated, donors as units:           p = {test.p_value:.3f}")

# %%
# The direction that shows the treatment is made of the genes of the programme.

result = sot.srw(control, treated, k=1, tol=1e-2)
shares = result.feature_share
print("genes with the largest shares:", sorted(np.argsort(-shares)[:6].tolist()))

figure, axes = plt.subplots(figsize=(7, 3))
axes.bar(np.arange(GENES), shares, color=np.where(np.arange(GENES) < len(PROGRAMME), "tab:red", "tab:gray"))
axes.set(xlabel="gene (red: in the programme)", ylabel="share of S_1^2")
figure.tight_layout()
plt.show()
