"""Texts: which words tell two of them apart
==========================================

A text is a measure: each word is a point, where its vector says, and weighs as much as it is frequent. The two texts
here are made up, 300 words each in 100 dimensions, with topics of their own and a third of their words in common.
"""

import matplotlib.pyplot as plt
import numpy as np

import subspaceot as sot

texts = sot.instances.zipf_texts(300, 100, rng=0, topics=6)
result = sot.srw(texts.X, texts.Y, k=2, a=texts.a, b=texts.b, tol=1e-2)
W = sot.wasserstein(texts.X, texts.Y, a=texts.a, b=texts.b)
print(result)
print(f"share of W^2 in 2 of 100 directions: {result.cost / W.cost:.1%}")

# %%
# Unlike a planted cube, texts differ in many directions. The eigenvalues of Omega say so: one at 1, many below it.
# Where they are well between 0 and 1 no single plane accounts for all of S_2, and `basis` only holds the leading one.

print("spectrum of Omega:", result.spectrum[:8].round(2))
figure, axes = plt.subplots(figsize=(7, 3))
axes.bar(range(1, 9), result.spectrum[:8])
axes.set(xlabel="direction", ylabel="eigenvalue of Omega")
figure.tight_layout()
plt.show()

# %%
# Words that stay and words that travel. A word that both texts use as often need not move at all.

frequent = np.argsort(-texts.a)[:8]
print("word  weight  squared displacement")
for word in frequent:
    print(f"{word:4d}  {texts.a[word]:6.3f}  {result.point_cost[word]:8.3f}")
common = np.array([(vector == texts.Y).all(axis=1).any() for vector in texts.X])
means = [np.average(result.point_cost[side], weights=texts.a[side]) for side in (common, ~common)]
print(f"words of both texts move by {means[0]:.3f}, squared, others by {means[1]:.3f}")

# %%
# With texts of your own and word vectors, the command `subspaceot text plays/ --vectors glove.vec.gz` does this for
# every pair, and draws a map and a cloud of words.
