"""scikit-learn's own checks of estimators and tests of its search classes, run with SearchCV."""
import importlib
import inspect
import math

import pytest

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed (Debian: python3-sklearn)")

import sklearn.model_selection  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning  # noqa: E402
from sklearn.linear_model import LogisticRegression, Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402
from sklearn.utils._testing import ignore_warnings  # noqa: E402

from locbo import Choice, Float, Optimizer, Space  # noqa: E402
from locbo.sklearn import SearchCV  # noqa: E402


# ---- the checks of estimators, as scikit-learn runs them for its own search classes


def searches():
    """Small searches: of a regressor and a classifier, alone and as a step of a pipeline."""
    for estimator, name in ((Ridge(), "alpha"), (LogisticRegression(), "C")):
        yield SearchCV(estimator, {name: Float(0.1, 1)}, cv=2, n_trials=2, random_state=0)
        yield SearchCV(
            make_pipeline(PCA(), estimator),
            {f"{type(estimator).__name__.lower()}__{name}": Float(0.1, 1)},
            cv=2,
            n_trials=2,
            random_state=0,
            error_score="raise",
        )


@estimator_checks.parametrize_with_checks(list(searches()))
def test_check_of_estimators(estimator, check):
    with ignore_warnings(category=(FutureWarning, ConvergenceWarning, UserWarning, FitFailedWarning)):
        check(estimator)


@pytest.mark.parametrize("estimator", searches(), ids=lambda search: str(search.estimator))
def test_names_of_columns(estimator):
    pytest.importorskip("pandas", reason="pandas is not installed (Debian: python3-pandas)")
    estimator_checks.check_dataframe_column_names_consistency("SearchCV", estimator)


# ---- the tests of GridSearchCV


class GivenPoints(Optimizer):
    """Asks for the points that it was given, one after the other."""

    def __init__(self, points, *args, **options):
        super().__init__(*args, **options)
        self.points = iter(points)

    def ask(self, n=None, fixed=None):
        return super().ask(n) if n is not None else super().ask(fixed=next(self.points))


class Grid(SearchCV):
    """SearchCV with the arguments of GridSearchCV, that evaluates the points of the grid."""

    _required_parameters = ["estimator", "param_grid"]

    def __init__(
        self,
        estimator,
        param_grid,
        *,
        scoring=None,
        n_jobs=None,
        refit=True,
        cv=None,
        verbose=0,
        pre_dispatch="2*n_jobs",
        error_score=math.nan,
        return_train_score=False,
    ):
        super().__init__(
            estimator,
            None,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.param_grid = param_grid

    def _run_search(self, evaluate_candidates):
        self.n_trials = self.n_points = len(sklearn.model_selection.ParameterGrid(self.param_grid))
        super()._run_search(evaluate_candidates)

    def _make_optimizer(self, seed):
        grid = self.param_grid[0] if isinstance(self.param_grid, list) else self.param_grid
        values = {name: [v for i, v in enumerate(column) if v not in column[:i]] for name, column in grid.items()}
        objectives = self._objectives()
        return GivenPoints(
            sklearn.model_selection.ParameterGrid(grid),
            Space({name: Choice(*column) for name, column in values.items()}),
            direction=None if objectives else "maximize",
            outputs=objectives,
            seed=1,
        )


NOT_OURS = {  # tests of grids, which SearchCV has not, and why
    "test_grid_search_bad_param_grid": "errors of a grid",
    "test_predict_proba_disabled": "an empty grid",
    "test_custom_run_search": "a list of grids",
    "test_grid_search_cv_results": "a list of grids",
    "test_grid_search_cv_results_multimetric": "a list of grids",
}


def theirs(module):
    """The tests of a module of scikit-learn that name GridSearchCV, where that is now the class above."""
    own = sklearn.model_selection.GridSearchCV
    sklearn.model_selection.GridSearchCV = Grid
    try:
        tests = inspect.getmembers(importlib.import_module(module), inspect.isfunction)
    except ModuleNotFoundError:
        return {"test_of_" + module: pytest.mark.skip(f"scikit-learn is installed without {module}")(lambda: None)}
    finally:
        sklearn.model_selection.GridSearchCV = own
    return {
        name: test
        for name, test in tests
        if name.startswith("test_") and name not in NOT_OURS and "GridSearchCV" in inspect.getsource(test)
    }


globals().update(theirs("sklearn.model_selection.tests.test_search"))
globals().update(theirs("sklearn.tests.test_metaestimators"))


def test_that_there_are_tests_of_theirs():
    if "test_of_sklearn.model_selection.tests.test_search" not in globals():
        assert {"test_refit_callable", "test_pickle", "test_grid_search_failing_classifier"} <= set(globals())
