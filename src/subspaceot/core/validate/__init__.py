"""Raw input to trusted values: every error of an argument is raised here, and nothing below checks again.

`as_...` returns what the caller meant, `require_...` returns nothing. Each message names the argument as the caller
wrote it, the rule, what came, and the fix. A wrong kind of thing is a TypeError, a wrong value a ValueError, too little
memory a MemoryError. No function modifies its input, and none knows an algorithm: what a solver allows comes as plain
values.
"""

from .choices import as_callback, as_choice, as_column, as_flag, as_instance, as_pair_of_names, as_rng
from .chunks import (
    as_memory,
    as_number_of_cells,
    match_columns,
    refuse_array,
    refuse_file,
    refuse_folder,
    refuse_kind,
    refuse_missing,
    refuse_setting,
    refuse_weights,
    require_doubles,
    require_finite_rows,
    require_rows,
    require_same_rows,
    require_visible_range,
)
from .dimensions import (
    as_dimension,
    as_dimension_or_auto,
    as_dimensions,
    as_one_or_more_dimensions,
    is_auto,
    require_consecutive,
    require_same_dimension,
)
from .groups import as_group, as_groups, as_two_groups, require_enough_points, require_strata, require_units
from .inference import (
    as_level,
    as_permutations,
    as_splits,
    require_attainable,
    require_halves,
    require_same_features,
    require_same_samples,
)
from .labelled import as_key, as_new_key, as_row_groups, require_loadings
from .magnitudes import require_representable, require_visible
from .matrices import as_distances, as_plan, as_soft_projector
from .measures import as_measures
from .memory import fits, require_memory, require_memory_at_once, require_plan
from .points import as_named_pair, as_pair, as_planar_pair, as_points, as_points_like
from .scalars import (
    as_count,
    as_fraction,
    as_jobs,
    as_nonnegative,
    as_numbers,
    as_positive,
    as_power,
    as_ranks,
)
from .settings import as_reg, as_solver, require_defaults
from .tensors import as_batch_size, require_kind, require_single
from .weights import as_comparable_weights, as_weights

__all__ = [
    "as_batch_size",
    "as_callback",
    "as_choice",
    "as_column",
    "as_comparable_weights",
    "as_count",
    "as_dimension",
    "as_dimension_or_auto",
    "as_dimensions",
    "as_distances",
    "as_flag",
    "as_fraction",
    "as_group",
    "as_groups",
    "as_instance",
    "as_jobs",
    "as_key",
    "as_level",
    "as_measures",
    "as_memory",
    "as_named_pair",
    "as_new_key",
    "as_nonnegative",
    "as_number_of_cells",
    "as_numbers",
    "as_one_or_more_dimensions",
    "as_pair",
    "as_pair_of_names",
    "as_permutations",
    "as_plan",
    "as_planar_pair",
    "as_points",
    "as_points_like",
    "as_positive",
    "as_power",
    "as_ranks",
    "as_reg",
    "as_rng",
    "as_row_groups",
    "as_soft_projector",
    "as_solver",
    "as_splits",
    "as_two_groups",
    "as_weights",
    "fits",
    "is_auto",
    "match_columns",
    "refuse_array",
    "refuse_file",
    "refuse_folder",
    "refuse_kind",
    "refuse_missing",
    "refuse_setting",
    "refuse_weights",
    "require_attainable",
    "require_consecutive",
    "require_defaults",
    "require_doubles",
    "require_enough_points",
    "require_finite_rows",
    "require_halves",
    "require_kind",
    "require_loadings",
    "require_memory",
    "require_memory_at_once",
    "require_plan",
    "require_representable",
    "require_rows",
    "require_same_dimension",
    "require_same_features",
    "require_same_rows",
    "require_same_samples",
    "require_single",
    "require_strata",
    "require_units",
    "require_visible",
    "require_visible_range",
]
