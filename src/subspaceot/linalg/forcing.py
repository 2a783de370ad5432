"""How well an inner problem is solved while the outer one is still far from its end."""

# Of the error that is left outside: more digits inside would be lost there (Dembo, Eisenstat & Steihaug 1982). Where an
# inner error must not be taken for an outer one, its square; where it must not show at all, its cube.
FORCING = 0.1
