"""scikit-learn's interface: a search for the best parameters of an estimator, by cross-validation.

The loop over candidates and folds, the refit and what is delegated to the best estimator are scikit-learn's own
(BaseSearchCV); this module chooses the candidates.
"""
from __future__ import annotations

import copy
import math
import numbers
import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

import numpy
from joblib import effective_n_jobs
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.utils import check_random_state

from .optimizer import Optimizer, Trial
from .space import Parameter, Space

__all__ = ["SearchCV"]

Evaluate = Callable[..., Mapping[str, Any]]
Scores = Union[float, Dict[str, float]]
Row = Tuple[Dict[str, Any], Optional[List[Dict[str, Any]]]]


class SearchCV(BaseSearchCV):  # type: ignore[misc]
    """Search for the parameters of an estimator that have the best mean score over the folds.

    It is used like scikit-learn's GridSearchCV and RandomizedSearchCV, and has their attributes: best_params_,
    best_score_, best_index_, best_estimator_, cv_results_, scorer_, n_splits_, refit_time_, multimetric_; in addition
    `optimizer_`, the optimizer with all that it knows (predict, recommend, importance).

    The mean over the folds is told to the optimizer, without a standard deviation: what makes one fold harder than
    another is the same for all candidates, so that the spread of the folds is not the noise of the mean. A candidate
    whose score is not finite is told as failed, and the optimizer learns to avoid such candidates.

    Parameters
    ----------
    estimator : the estimator to tune; it is cloned.
    space : a mapping from names of parameters (`step__name` for a nested one) to Float, Int, Bool or Choice, or a
        Space, which may have constraints. The values of a Choice may be any objects: estimators, functions, None. A
        parameter that is not active (`when`) keeps the value that the estimator has.
    n_trials : the number of candidates.
    n_points : how many candidates are evaluated at a time. None: the fewest that give each of n_jobs a fit, once the
        number of folds is known by the first candidate. Proposals depend on it: set it for the same ones whatever
        n_jobs.
    scoring : as in scikit-learn. Of several scores the one that `refit` names is maximised. If `refit` is False or a
        function all of them are (at most four), and the candidates approach the best compromises; a function that
        returns several scores needs a `refit` that names one.
    n_jobs, cv, verbose, pre_dispatch, error_score, return_train_score : as in scikit-learn. All candidates have the
        same folds, also if `cv` shuffles without a seed.
    refit : as in scikit-learn: True, False, the name of a score, or a function from cv_results_ to best_index_.
    resample : draw new folds for each candidate. The optimizer then does not adapt to one division of the data, and its
        model averages over them. `cv` must be a number, or a splitter that shuffles. Candidates are evaluated one after
        the other, the folds of one in parallel.
    best_by : "score": the candidate with the best mean score is the best one, as in scikit-learn. "model": the one with
        the best mean by the model, which the luck of one division of the data deceives less. None: "model" with
        resample, otherwise "score". In both cases best_score_ is the mean score that was measured.
    random_state : the seed of the optimizer and of resampling. None: another one each time.
    options : options of the optimizer by name, {"method": "bo"} for example. Without `resample` the default of
        noise_law is gaussian: with the same folds no score is an outlier.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from locbo import Choice, Float
    >>> from locbo.sklearn import SearchCV
    >>> space = {"C": Float(0.01, 100, log=True), "kernel": Choice("linear", "rbf"),
    ...          "gamma": Float(0.001, 10, log=True, when={"kernel": "rbf"})}
    >>> search = SearchCV(SVC(), space, n_trials=12, random_state=1)
    >>> X, y = load_iris(return_X_y=True)
    >>> search.fit(X, y).best_score_ > 0.95
    True
    >>> sorted(search.best_params_)[0], len(search.cv_results_["params"])
    ('C', 12)
    >>> search.predict(X[:2])
    array([0, 0])
    """

    _required_parameters = ["estimator", "space"]

    def __init__(
        self,
        estimator: Any,
        space: Union[Space, Mapping[str, Parameter]],
        *,
        n_trials: int = 50,
        n_points: Optional[int] = None,
        scoring: Any = None,
        n_jobs: Optional[int] = None,
        refit: Any = True,
        cv: Any = None,
        resample: bool = False,
        best_by: Optional[str] = None,
        verbose: int = 0,
        pre_dispatch: Union[int, str] = "2*n_jobs",
        random_state: Any = None,
        error_score: Union[float, str] = math.nan,
        return_train_score: bool = False,
        options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(
            estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.space, self.n_trials, self.n_points, self.resample = space, n_trials, n_points, resample
        self.best_by, self.random_state, self.options = best_by, random_state, options

    # ---- what scikit-learn calls

    def _run_search(self, evaluate_candidates: Evaluate) -> None:
        """Ask, evaluate and tell until there are n_trials candidates."""
        self._check_parameters()
        seed = _seed(self.random_state)
        folds_of = self._folds(seed)
        self.optimizer_ = self._make_optimizer(seed)
        self._evaluated = evaluated = _Evaluated(self.error_score)
        try:
            while len(evaluated.rows) < self.n_trials:
                count = min(self._count_of_round(evaluated.n_splits), self.n_trials - len(evaluated.rows))
                trials = [self.optimizer_.ask() for _ in range(count)]  # n_points may be any number
                for group in [[trial] for trial in trials] if self.resample else [trials]:
                    evaluated.add(evaluate_candidates, [trial.params for trial in group], folds_of(group[0].number))
                for trial, row in zip(trials, evaluated.rows[-count:]):
                    self._tell(trial, evaluated.mean_scores(row))
            params, out = evaluated.all()
            evaluated.results.update(super()._format_results(params, evaluated.n_splits, out))
        finally:
            del self._evaluated

    def _format_results(
        self, candidate_params: List[Dict[str, Any]], n_splits: int, out: List[Dict[str, Any]], more_results: Any = None
    ) -> Dict[str, Any]:
        """evaluate_candidates calls this after each round. The dict that it gets is filled at the end of the search,
        once, with the candidates that failed as well."""
        self._evaluated.note(candidate_params, n_splits, out)
        return self._evaluated.results

    def _select_best_index(self, refit: Any, refit_metric: str, results: Mapping[str, Any]) -> int:
        """Where the best candidate is in the results: the model's choice if that is wanted and there is a result."""
        if not callable(refit) and self._best_by() == "model":
            if numpy.isfinite(results[f"mean_test_{refit_metric}"]).any():
                trial = self.optimizer_.recommend().trial
                assert trial is not None, "the option recommendation=evaluated chooses a trial"
                return trial - 1
        return int(super()._select_best_index(refit, refit_metric, results))

    # ---- parts of the search

    def _check_parameters(self) -> None:
        for name, value in (("n_trials", self.n_trials), ("n_points", 1 if self.n_points is None else self.n_points)):
            if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")
        if self.best_by not in (None, "score", "model"):
            raise ValueError(f"best_by must be 'score', 'model' or None, got {self.best_by!r}")
        if self.best_by == "model" and (callable(self.refit) or self._objectives()):
            raise ValueError(f"best_by='model' needs one score to maximise, got refit={self.refit!r}")
        for name, value in (self.options or {}).items():
            if name in ("direction", "seed", "recommendation"):
                raise ValueError(f"options must not have {name!r}, which SearchCV sets, got {value!r}")

    def _best_by(self) -> str:
        return self.best_by or ("model" if self.resample else "score")

    def _objectives(self) -> Dict[str, str]:
        """The scores that are all maximised; empty: there is one."""
        if isinstance(self.scoring, (list, tuple, set, dict)) and not isinstance(self.refit, str):
            return {name: "maximize" for name in self.scoring}
        return {}

    def _make_optimizer(self, seed: int) -> Optimizer:
        options = dict(self.options or {}, seed=seed)
        if not self.resample:  # a low score on the same folds is no chance: it must not be taken for an outlier
            options.setdefault("noise_law", "gaussian")
        if self._best_by() == "model":
            options["recommendation"] = "evaluated"
        objectives = self._objectives()
        if objectives:
            return Optimizer(self.space, outputs=objectives, **options)
        return Optimizer(self.space, direction="maximize", **options)

    def _folds(self, seed: int) -> Callable[[int], Optional["_Folds"]]:
        """A function from a candidate's number to its folds; None: the list that scikit-learn has already."""
        cv, classifier = self.cv, is_classifier(self.estimator)
        is_number = cv is None or isinstance(cv, numbers.Integral)
        if not self.resample:
            same = _Folds(cv, classifier) if is_number or hasattr(cv, "split") else None
            return lambda number: same
        if not is_number and not (hasattr(cv, "random_state") and getattr(cv, "shuffle", True)):
            raise ValueError(f"resample=True needs a cv that is a number or a splitter that shuffles, got {cv!r}")
        return lambda number: _Folds(cv, classifier, _seed_of(seed, number))

    def _count_of_round(self, n_splits: int) -> int:
        """How many candidates are asked for at a time; `n_splits` is 0 before the first was evaluated."""
        if self.n_points is not None:
            return int(self.n_points)
        if self.resample or n_splits == 0:
            return 1
        return -(-int(effective_n_jobs(self.n_jobs)) // n_splits)

    def _tell(self, trial: Trial, scores: Scores) -> None:
        """The mean over the folds; a score that is not finite is a failure."""
        told = self._told(scores)
        if numpy.isfinite(list(told.values()) if isinstance(told, dict) else told).all():
            self.optimizer_.tell(trial, told)
        else:
            self.optimizer_.fail(trial)

    def _told(self, scores: Scores) -> Scores:
        """The score that is maximised, or all of them; one number stands for all if no fit succeeded."""
        objectives = self._objectives()
        if objectives:
            return scores if isinstance(scores, dict) else dict.fromkeys(objectives, scores)
        if not isinstance(scores, dict):
            return scores
        self._check_refit_for_multimetric(scores)
        if len(scores) == 1:
            return next(iter(scores.values()))
        if not isinstance(self.refit, str):
            raise ValueError(
                f"with a function that returns several scores refit must name the one to maximise, one of "
                f"{', '.join(scores)}; got {self.refit!r}"
            )
        return scores[self.refit]


def _seed(random_state: Any) -> int:
    """A whole number is the seed itself, so that it gives the proposals that it gives elsewhere."""
    if isinstance(random_state, numbers.Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _seed_of(seed: int, number: int) -> int:
    """The seed of a candidate."""
    return int(numpy.random.SeedSequence([seed, number]).generate_state(1)[0])


class _Folds:
    """Folds that are drawn when they are first needed, and then kept; with a seed new ones, by it."""

    def __init__(self, cv: Any, classifier: bool, seed: Optional[int] = None) -> None:
        self.cv, self.classifier, self.seed = cv, classifier, seed
        self.drawn: Optional[List[Any]] = None

    def split(self, X: Any, y: Any = None, groups: Any = None) -> List[Any]:
        if self.drawn is None:
            splitter = check_cv(self.cv, y, classifier=self.classifier)
            if self.seed is not None:
                splitter = copy.copy(splitter)
                splitter.shuffle, splitter.random_state = True, self.seed
            self.drawn = list(splitter.split(X, y, groups))
        return self.drawn


class _Evaluated:
    """The candidates so far, in the order of their trials: of each its parameters and what scikit-learn measured on
    each fold; None if no fit succeeded, which scikit-learn takes for the end of the search."""

    def __init__(self, error_score: Union[float, str]) -> None:
        self.rows: List[Row] = []
        self.n_splits = 0
        self.results: Dict[str, Any] = {}
        self.error_score = error_score
        self.count = 0  # candidates that scikit-learn has
        self.trouble: Optional[ValueError] = None

    def add(self, evaluate_candidates: Evaluate, candidates: List[Dict[str, Any]], folds: Optional[_Folds]) -> None:
        try:
            evaluate_candidates(candidates, folds)
        except ValueError as trouble:
            if self.error_score == "raise" or "fits failed" not in str(trouble):
                raise
            self.trouble = self.trouble or trouble
            self.rows += [(params, None) for params in candidates]
            warnings.warn(f"no fit succeeded with {candidates}: {trouble}", FitFailedWarning)

    def note(self, candidates: List[Dict[str, Any]], n_splits: int, out: List[Dict[str, Any]]) -> None:
        """What scikit-learn has after a round, of which the last are new."""
        for i in range(self.count, len(candidates)):
            self.rows.append((candidates[i], out[i * n_splits : (i + 1) * n_splits]))
        self.count, self.n_splits = len(candidates), n_splits

    def mean_scores(self, row: Row) -> Scores:
        """The mean over the folds of each score."""
        measured = row[1]
        if measured is None:
            return float(self.error_score)
        scores = [fold["test_scores"] for fold in measured]
        if isinstance(scores[0], dict):
            return {name: float(numpy.mean([fold[name] for fold in scores])) for name in scores[0]}
        return float(numpy.mean(scores))

    def all(self) -> Tuple[List[Dict[str, Any]], List[Dict[str, Any]]]:
        """Parameters of the candidates, and what was measured on the folds of one after the other."""
        example = next((measured[0] for _, measured in self.rows if measured), None)
        if example is None:
            count = len(self.rows)
            raise ValueError(f"no fit succeeded with any of {count} candidates; with the first: {self.trouble}")
        failed = [self._failed(example)] * self.n_splits
        return [params for params, _ in self.rows], [fold for _, measured in self.rows for fold in measured or failed]

    def _failed(self, example: Dict[str, Any]) -> Dict[str, Any]:
        """What stands for a fold if no fit of the candidate succeeded; scikit-learn has not said how long it took."""
        entry = dict(example, fit_time=math.nan, score_time=0.0)
        for key in ("test_scores", "train_scores"):
            if key in entry:
                scores = entry[key]
                entry[key] = dict.fromkeys(scores, self.error_score) if isinstance(scores, dict) else self.error_score
        return entry
