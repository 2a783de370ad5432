"""Raw input to trusted values: every error of an argument is raised here, and nothing below checks again.

`as_...` returns what the caller meant, `require_...` returns nothing. Each message names the argument as the caller
wrote it, the rule, what came, and the fix. A wrong kind of thing is a TypeError, a wrong value a ValueError, too little
memory a MemoryError. No function modifies its input, and none knows an algorithm: what a solver allows comes as plain
values.
"""

from .choices import as_callback, as_choice, as_column, as_flag, as_instance, as_pair_of_names, as_rng, as_text
from .dimensions import (
    as_dimension,
    as_dimension_or_auto,
    as_dimensions,
    as_one_or_more_dimensions,
    is_auto,
    require_consecutive,
    require_same_dimension,
)
from .files import as_file_to_write, as_path
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
from .labelled import (
    as_key,
    as_new_key,
    as_row_groups,
    require_gene_values,
    require_loadings,
    require_no_loadings,
)
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
from .tables import (
    Words,
    as_names,
    as_several_tables,
    require_column,
    require_columns,
    require_complete,
    require_few_categories,
    require_frame,
    require_labelled,
    require_numeric_weights,
    require_pair,
    require_readable,
    require_rows,
    require_several_groups,
    require_two_groups,
    require_valid_weights,
    require_variation,
)
from .tensors import as_batch_size, require_constant, require_kept, require_kind, require_single
from .weights import as_comparable_weights, as_weights

__all__ = [
    "Words",
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
    "as_file_to_write",
    "as_flag",
    "as_fraction",
    "as_group",
    "as_groups",
    "as_instance",
    "as_jobs",
    "as_key",
    "as_level",
    "as_measures",
    "as_named_pair",
    "as_names",
    "as_new_key",
    "as_nonnegative",
    "as_numbers",
    "as_one_or_more_dimensions",
    "as_pair",
    "as_pair_of_names",
    "as_path",
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
    "as_several_tables",
    "as_soft_projector",
    "as_solver",
    "as_splits",
    "as_text",
    "as_two_groups",
    "as_weights",
    "fits",
    "is_auto",
    "require_attainable",
    "require_column",
    "require_columns",
    "require_complete",
    "require_consecutive",
    "require_constant",
    "require_defaults",
    "require_enough_points",
    "require_few_categories",
    "require_frame",
    "require_gene_values",
    "require_halves",
    "require_kept",
    "require_kind",
    "require_labelled",
    "require_loadings",
    "require_memory",
    "require_memory_at_once",
    "require_no_loadings",
    "require_numeric_weights",
    "require_pair",
    "require_plan",
    "require_readable",
    "require_representable",
    "require_rows",
    "require_same_dimension",
    "require_same_features",
    "require_same_samples",
    "require_several_groups",
    "require_single",
    "require_strata",
    "require_two_groups",
    "require_units",
    "require_valid_weights",
    "require_variation",
    "require_visible",
]
