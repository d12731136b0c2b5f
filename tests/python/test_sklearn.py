"""SearchCV: what it tells the optimizer, its folds, failures, scores, the best candidate, and errors."""
import math
import pickle
import warnings

import numpy
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed (Debian: python3-sklearn)")

from sklearn.base import BaseEstimator, clone  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.decomposition import PCA  # noqa: E402
from sklearn.exceptions import FitFailedWarning, NotFittedError  # noqa: E402
from sklearn.linear_model import LogisticRegression, Ridge  # noqa: E402
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, ShuffleSplit, StratifiedKFold  # noqa: E402
from sklearn.pipeline import Pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer, StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

from locbo import ArgumentError, Bool, Choice, Float, Int, Optimizer, Space  # noqa: E402
from locbo.sklearn import SearchCV  # noqa: E402

ROWS = numpy.arange(40.0).reshape(40, 1)


class Peak(BaseEstimator):
    """Has its best score, 0, at x = 0.3; `trouble` says where the fit fails. Each fit notes its rows of the data."""

    fits = []

    def __init__(self, x=0.0, z=None, trouble=None, effect=0.0):
        self.x, self.z, self.trouble, self.effect = x, z, trouble, effect

    def fit(self, X, y=None):
        Peak.fits.append((self.x, tuple(numpy.ravel(X))))
        if self.trouble is not None and self.trouble(self.x, X):
            raise RuntimeError(f"no fit at {self.x}")
        self.fitted_ = True
        return self

    def score(self, X, y=None):
        return -((self.x - 0.3) ** 2) + self.effect * numpy.mean(X)

    def predict(self, X):
        return numpy.full(len(X), self.x)


@pytest.fixture(autouse=True)
def no_fits_yet():
    Peak.fits.clear()


def everywhere(x, X):
    return True


def above_one_half(x, X):
    return x > 0.5


def above_one_half_in_one_fold(x, X):
    return x > 0.5 and 0.0 not in X


def low_and_high(estimator, X, y=None):
    return {"low": -estimator.x, "high": estimator.x}


def search(space=None, estimator=None, **more):
    more = {"n_trials": 8, "cv": 4, "random_state": 3, **more}
    return SearchCV(estimator or Peak(), space or {"x": Float(0, 1)}, **more)


def quiet_fit(made, *data):
    """Fit, without the warnings that failures give."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return made.fit(*(data or (ROWS,)))


# ---- what is told


def test_it_finds_the_peak():
    found = search(n_trials=25).fit(ROWS)
    assert abs(found.best_params_["x"] - 0.3) < 0.02
    assert found.best_score_ == found.cv_results_["mean_test_score"].max() == -((found.best_params_["x"] - 0.3) ** 2)
    assert found.predict(ROWS)[0] == found.best_estimator_.x == found.best_params_["x"]


def check_proposals(found, space):
    """The candidates are those of an optimizer that is told one mean after the other, or a failure."""
    same = Optimizer(space, direction="maximize", seed=3, noise_law="gaussian")
    for params, mean in zip(found.cv_results_["params"], found.cv_results_["mean_test_score"]):
        trial = same.ask()
        assert trial.params == params
        if math.isnan(mean):
            same.fail(trial)
        else:
            same.tell(trial, mean)


def test_the_mean_is_told_without_an_sd():
    """Proposals are those of an optimizer that was told the means alone, though the folds differ much."""
    found = search({"x": Float(0, 1), "z": Int(1, 9)}, Peak(effect=0.1), n_trials=12).fit(ROWS)
    assert found.cv_results_["std_test_score"].min() > 0.5
    check_proposals(found, Space(x=Float(0, 1), z=Int(1, 9)))


def test_the_law_of_the_noise():
    laws = [
        search(**more, n_trials=1).fit(ROWS).optimizer_.options["noise_law"]
        for more in ({}, {"resample": True}, {"options": {"noise_law": "student"}})
    ]
    assert laws == ["gaussian", "auto", "student"]


def test_options_reach_the_optimizer():
    told = search(n_trials=12, options={"method": "random"}).fit(ROWS).cv_results_["params"]
    same = Optimizer(Space(x=Float(0, 1)), direction="maximize", seed=3, method="random")
    assert [same.ask().params for _ in range(12)] == told


def test_the_seed():
    first, second = (search(n_trials=12).fit(ROWS).cv_results_["params"] for _ in range(2))
    assert first == second
    assert first != search(n_trials=12, random_state=4).fit(ROWS).cv_results_["params"]
    drawn = [search(random_state=numpy.random.RandomState(1)).fit(ROWS).cv_results_["params"] for _ in range(2)]
    assert drawn[0] == drawn[1]
    chance = [search(random_state=None).fit(ROWS).cv_results_["params"] for _ in range(2)]
    assert chance[0] != chance[1]


# ---- folds


def folds_of_candidates(cv, **more):
    """For each candidate its training sets."""
    folds = {}
    for x, rows in quiet_fit(search(cv=cv, refit=False, **more)) and Peak.fits:
        folds.setdefault(x, []).append(rows)
    return list(folds.values())


@pytest.mark.parametrize("cv", [4, None, KFold(4, shuffle=True), ShuffleSplit(3), LeaveOneOut()], ids=str)
def test_all_candidates_have_the_same_folds(cv):
    folds = folds_of_candidates(cv)
    assert len(folds) == 8 and all(candidate == folds[0] for candidate in folds)


def test_folds_that_can_be_drawn_once():
    folds = folds_of_candidates(KFold(4, shuffle=True, random_state=1).split(ROWS))
    assert len(folds) == 8 and all(candidate == folds[0] for candidate in folds)


@pytest.mark.parametrize("cv", [4, None, KFold(4, shuffle=True, random_state=7), ShuffleSplit(3)], ids=str)
def test_resample_draws_new_folds(cv):
    folds = folds_of_candidates(cv, resample=True)
    assert len({tuple(candidate) for candidate in folds}) == 8
    Peak.fits.clear()
    assert folds_of_candidates(cv, resample=True) == folds  # by the seed
    if isinstance(cv, KFold):
        assert cv.random_state == 7


def test_resample_keeps_the_classes_apart():
    X, y = load_iris(return_X_y=True)
    found = search({"C": Float(0.1, 10)}, LogisticRegression(max_iter=200), resample=True, n_trials=3, cv=50).fit(X, y)
    assert found.n_splits_ == 50  # 3 rows a fold, one of each class: without them a score is undefined
    assert numpy.isfinite(found.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("cv", [KFold(4), LeaveOneOut(), GroupKFold(2), [([0], [1])]], ids=str)
def test_resample_needs_folds_that_can_be_drawn_anew(cv):
    with pytest.raises(ValueError, match="resample=True needs a cv that is a number or a splitter that shuffles, got "):
        search(cv=cv, resample=True).fit(ROWS)


def test_groups():
    groups = numpy.repeat([0, 1], 20)
    search(cv=GroupKFold(2), refit=False).fit(ROWS, groups=groups)
    assert {rows for _, rows in Peak.fits} == {tuple(range(20)), tuple(range(20, 40))}


# ---- rounds


def rounds(capsys, made):
    made.set_params(verbose=1).fit(ROWS)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Fitting")]
    return [int(line.split("each of ")[1].split()[0]) for line in lines]


def test_rounds(capsys):
    assert rounds(capsys, search()) == [1] * 8
    assert rounds(capsys, search(n_points=3)) == [3, 3, 2]
    assert rounds(capsys, search(cv=2, n_jobs=3)) == [1, 2, 2, 2, 1]  # two of two folds occupy three jobs
    assert rounds(capsys, search(n_points=3, resample=True)) == [1] * 8


def test_jobs_do_not_change_a_search_of_the_same_rounds():
    for how in ({"n_points": 2}, {"resample": True}):
        one, two = (search(**how, cv=2, n_jobs=jobs).fit(ROWS).cv_results_ for jobs in (1, 3))
        assert one["params"] == two["params"] and (one["mean_test_score"] == two["mean_test_score"]).all()


# ---- failures


@pytest.mark.parametrize("n_points", [1, 3])
def test_a_candidate_that_fails(n_points):
    found = quiet_fit(search(estimator=Peak(trouble=above_one_half), n_trials=10, n_points=n_points))
    results, failed = found.cv_results_, numpy.array([p["x"] > 0.5 for p in found.cv_results_["params"]])
    assert 0 < failed.sum() < 10
    assert (numpy.isnan(results["mean_test_score"]) == failed).all()
    assert (results["rank_test_score"][failed] == results["rank_test_score"].max()).all()
    assert results["param_x"].tolist() == [p["x"] for p in results["params"]]
    assert found.best_params_["x"] < 0.5
    assert found.optimizer_.predict({"x": 0.9}).success < found.optimizer_.predict({"x": 0.2}).success


def test_failures_are_in_the_order_of_the_trials():
    found = quiet_fit(search({"x": Float(0.25, 0.75)}, Peak(trouble=above_one_half), n_trials=12))
    check_proposals(found, Space(x=Float(0.25, 0.75)))
    failed = [p["x"] > 0.5 for p in found.cv_results_["params"]]
    assert failed != sorted(failed) and failed != sorted(failed, reverse=True)
    assert (found.cv_results_["mean_score_time"][failed] == 0).all()  # as scikit-learn has it
    assert numpy.isnan(found.cv_results_["mean_fit_time"][failed]).all()


def test_a_failure_is_a_warning():
    with pytest.warns(FitFailedWarning, match="(?s)no fit succeeded with .*RuntimeError: no fit at") as seen:
        search(estimator=Peak(trouble=above_one_half), n_trials=10).fit(ROWS)
    failed = {x for x, _ in Peak.fits if x > 0.5}
    assert len([w for w in seen if w.category is FitFailedWarning]) == len(failed)
    assert len([w for w in seen if "non-finite" in str(w.message)]) == 1


def test_a_fold_that_fails():
    found = quiet_fit(search(estimator=Peak(trouble=above_one_half_in_one_fold), n_trials=10))
    failed = numpy.array([p["x"] > 0.5 for p in found.cv_results_["params"]])
    assert (numpy.isnan(found.cv_results_["mean_test_score"]) == failed).all()
    assert (numpy.isnan(found.cv_results_["split0_test_score"]) == failed).all()
    assert numpy.isfinite(found.cv_results_["split1_test_score"]).all()


def test_a_number_for_failures_is_told():
    made = search(estimator=Peak(trouble=above_one_half), error_score=-5, n_trials=10, return_train_score=True)
    found = quiet_fit(made)
    failed = numpy.array([p["x"] > 0.5 for p in found.cv_results_["params"]])
    assert ((found.cv_results_["mean_test_score"] == -5) == failed).all()
    assert ((found.cv_results_["mean_train_score"] == -5) == failed).all()
    assert found.optimizer_.predict({"x": 0.9}).success == 1


def test_failures_are_raised_if_wanted():
    with pytest.raises(RuntimeError, match="no fit at"):
        search(estimator=Peak(trouble=above_one_half), error_score="raise", n_trials=10).fit(ROWS)


def test_all_fail():
    with pytest.raises(ValueError, match="(?s)no fit succeeded with any of 8 candidates; with the first: .*no fit at"):
        quiet_fit(search(estimator=Peak(trouble=everywhere)))
    with pytest.raises(ValueError, match="(?s)no fit succeeded with any of 8 candidates"):
        quiet_fit(search(estimator=Peak(trouble=everywhere), resample=True))


def test_scores_that_are_not_finite():
    for value in (math.nan, math.inf):
        found = quiet_fit(search(scoring=lambda estimator, X, y=None, v=value: v if estimator.x > 0.5 else estimator.x))
        assert found.optimizer_.best().params["x"] <= 0.5
    for best_by in ("score", "model"):
        found = quiet_fit(search(scoring=lambda estimator, X, y=None: math.nan, best_by=best_by))
        assert found.best_index_ == 0


# ---- several scores


def first_of(results):
    return 2


SCORES = {"low": lambda estimator, X, y=None: -estimator.x, "high": lambda estimator, X, y=None: estimator.x}


@pytest.mark.parametrize("scoring", [SCORES, low_and_high], ids=["mapping", "function"])
@pytest.mark.parametrize("name, best", [("low", 0), ("high", 1)])
def test_the_score_that_refit_names_is_maximised(scoring, name, best):
    found = search(scoring=scoring, refit=name, n_trials=15).fit(ROWS)
    assert abs(found.best_params_["x"] - best) < 0.01
    assert found.best_score_ == found.cv_results_[f"mean_test_{name}"].max() == found.score(ROWS)
    assert found.multimetric_


def test_without_a_name_all_are_maximised():
    found = search(scoring=SCORES, refit=False).fit(ROWS)
    assert list(found.optimizer_.outputs) == ["low", "high"]
    assert not hasattr(found, "best_index_")
    assert search(scoring=SCORES, refit=first_of).fit(ROWS).best_index_ == 2
    assert search(scoring=SCORES, refit=first_of, resample=True).fit(ROWS).best_index_ == 2


def test_all_scores_of_a_failure():
    for error_score in (math.nan, -5):
        made = search(estimator=Peak(trouble=above_one_half), scoring=SCORES, refit=False, error_score=error_score)
        found = quiet_fit(made)
        failed = [p["x"] > 0.5 for p in found.cv_results_["params"]]
        for name in SCORES:
            numpy.testing.assert_equal(found.cv_results_[f"mean_test_{name}"][failed], error_score)


def test_a_function_of_several_scores_needs_a_name():
    for refit in (False, first_of):
        with pytest.raises(ValueError, match="refit must name the one to maximise, one of low, high; got "):
            search(scoring=low_and_high, refit=refit).fit(ROWS)
    with pytest.raises(ValueError, match="refit must be set to a scorer key"):
        search(scoring=low_and_high, refit=True).fit(ROWS)


# ---- the best candidate


def noisy_score(estimator, X, y=None):
    """A score with noise that the folds make, of about 0.1 in the mean of four."""
    return -((estimator.x - 0.3) ** 2) + 0.2 * numpy.sin(1000 * numpy.sum(X * X))


def test_the_best_by_score_and_by_model():
    by = {
        rule: search(scoring=noisy_score, resample=True, best_by=rule, n_trials=30).fit(ROWS)
        for rule in ("score", "model", None)
    }
    scores = by["score"].cv_results_["mean_test_score"]
    assert by["score"].best_index_ == scores.argmax()
    assert by["model"].best_index_ == by[None].best_index_ == by["model"].optimizer_.recommend().trial - 1
    assert by["model"].best_score_ == scores[by["model"].best_index_] < scores.max()
    means = by["model"].optimizer_.predict(by["model"].cv_results_["params"])["mean"]
    assert by["model"].best_params_ == by["model"].cv_results_["params"][means.argmax()]
    assert abs(by["model"].best_params_["x"] - 0.3) < 0.2


def test_the_score_decides_if_the_folds_are_the_same():
    assert (
        search(scoring=noisy_score, n_trials=20).fit(ROWS).best_index_
        == search(scoring=noisy_score, n_trials=20, best_by="score").fit(ROWS).best_index_
    )


def test_without_a_refit():
    found = search(refit=False).fit(ROWS)
    assert found.best_params_ == found.cv_results_["params"][found.best_index_]
    assert not hasattr(found, "best_estimator_") and not hasattr(found, "predict")


# ---- spaces


def test_steps_conditions_and_objects():
    """A pipeline whose steps are chosen: estimators, None for no step, functions; a parameter that depends on one."""
    X, y = load_iris(return_X_y=True)
    svc, regression = SVC(), LogisticRegression(max_iter=300)
    steps = Pipeline(
        [("scale", StandardScaler()), ("map", FunctionTransformer()), ("reduce", PCA()), ("classify", svc)]
    )
    space = Space(
        {
            "scale": Choice(StandardScaler(), "passthrough", None),
            "map__func": Choice(None, numpy.arctan),
            "reduce__n_components": Int(1, 4),
            "reduce__whiten": Bool(),
            "classify": Choice(svc, regression),
            "classify__C": Float(0.01, 100, log=True),
            "classify__gamma": Float(0.001, 10, log=True, when={"classify": svc}),
        }
    )
    found = search(space, steps, n_trials=15, n_points=3).fit(X, y)
    assert found.best_score_ > 0.9
    seen = found.cv_results_
    assert {type(step) for step in seen["param_classify"]} == {SVC, LogisticRegression}
    assert None in seen["param_map__func"].tolist() and numpy.arctan in seen["param_map__func"].tolist()
    assert [not hidden for hidden in seen["param_classify__gamma"].mask] == [c is svc for c in seen["param_classify"]]
    assert not hasattr(regression, "coef_")
    assert numpy.isfinite(found.optimizer_.predict(found.best_params_).mean)


def test_a_parameter_that_the_estimator_has_not():
    with pytest.raises(ValueError, match="Invalid parameter 'y'"):
        search({"y": Float(0, 1)}).fit(ROWS)


def test_constraints():
    found = search(Space(x=Float(0, 1), z=Float(0, 1), constraints=["x + z <= 0.5"])).fit(ROWS)
    assert all(p["x"] + p["z"] <= 0.5 for p in found.cv_results_["params"])


# ---- an estimator among others


def test_copies():
    made = search({"x": Float(0, 1), "z": Choice(None, "a")}, n_points=2, best_by="model", options={"method": "bo"})
    assert repr(clone(made)) == repr(made)
    found = clone(made).fit(ROWS)
    again = pickle.loads(pickle.dumps(found))
    assert again.best_params_ == found.best_params_ and again.optimizer_.ask().params == found.optimizer_.ask().params
    assert (again.predict(ROWS) == found.predict(ROWS)).all()
    with pytest.raises(NotFittedError):
        clone(found).predict(ROWS)


def test_parameters_by_name():
    made = search().set_params(estimator__effect=2.0, n_trials=3)
    assert made.get_params()["estimator__effect"] == made.estimator.effect == 2.0
    assert len(made.fit(ROWS).cv_results_["params"]) == 3


def test_a_search_in_a_search():
    inner = search({"alpha": Float(0.1, 10, log=True)}, Ridge(), n_trials=3, cv=2)
    outer = search({"estimator__fit_intercept": Bool()}, inner, n_trials=2, cv=2).fit(ROWS, numpy.ravel(ROWS))
    assert outer.best_estimator_.best_score_ > 0.9


# ---- errors


@pytest.mark.parametrize(
    "wrong, text",
    [
        ({"n_trials": 0}, "n_trials must be a whole number of at least 1, got 0"),
        ({"n_trials": 2.5}, "n_trials must be a whole number of at least 1, got 2.5"),
        ({"n_trials": True}, "n_trials must be a whole number of at least 1, got True"),
        ({"n_points": 0}, "n_points must be a whole number of at least 1, got 0"),
        ({"best_by": "luck"}, "best_by must be 'score', 'model' or None, got 'luck'"),
        ({"best_by": "model", "refit": first_of}, "needs one score to maximise, got refit=<function first_of"),
        ({"best_by": "model", "refit": False, "scoring": SCORES}, "best_by='model' needs one score to maximise"),
        ({"options": {"seed": 4}}, "options must not have 'seed', which SearchCV sets, got 4"),
        ({"options": {"nonsense": 4}}, "nonsense"),
        ({"random_state": -1}, "-1"),
        ({"space": {"x": [1, 2]}}, "parameter 'x': expected Float, Int, Bool or Choice, got [1, 2]"),
        ({"space": {}}, "the space has no parameters"),
    ],
)
def test_errors(wrong, text):
    with pytest.raises(ValueError) as trouble:
        search().set_params(**wrong).fit(ROWS)
    assert text in str(trouble.value)
    assert not Peak.fits


def test_an_error_leaves_nothing_behind():
    made = search(cv=99)
    with pytest.raises(ValueError, match="n_splits=99"):
        made.fit(ROWS)
    assert "_evaluated" not in vars(made)
    assert issubclass(ArgumentError, ValueError)  # so that errors of a space are such
