"""Files and calls for the tests of the command."""

import numpy as np
import pandas as pd
from click.testing import CliRunner

from subspaceot.cli._main import command

# Names that a careless reader of files stumbles over.
COLUMNS = ["height, cm", 'the "big" one', "größe"]


def call(*arguments):
    """Return what a call of the command gives: exit_code, stdout, stderr."""
    result = CliRunner().invoke(command, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*arguments):
    """Return the sentence with which a call is refused: exit code 2, nothing on stdout, no traceback."""
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    sentence = result.stderr.splitlines()[-1]
    assert sentence.startswith("Error: ")
    return sentence


def clouds():
    """Return two clouds that differ by a shift of (6, 0, 18), and noise in three columns."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3)) * [3.0, 1.0, 2.0] + [170.0, 0.0, 0.0]
    Y = rng.standard_normal((20, 3)) * [3.0, 1.0, 2.0] + [176.0, 0.0, 18.0]
    return X, Y


def frames():
    """Return the same as tables, the second with its columns in another order."""
    X, Y = clouds()
    return pd.DataFrame(X, columns=COLUMNS), pd.DataFrame(Y, columns=COLUMNS)[COLUMNS[::-1]]
