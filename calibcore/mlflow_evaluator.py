"""An evaluator of MLflow, which it finds by itself: ``evaluate(…, evaluators="caliblens")``."""

from typing import Any

import numpy as np
from mlflow.models.evaluation import EvaluationResult, ModelEvaluator

from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.tracking import log_survey, metrics_of


class CaliblensEvaluator(ModelEvaluator):  # type: ignore[misc] # mlflow tells no types
    """Surveys the probabilities of a classifier: numbers into the run's metrics, figure and answer as files.

    ``evaluator_config={"probability_columns": ["cat", "dog"]}`` names the columns of the data that have the
    probabilities, in the order of the classes; or a model gives them, one row a case.
    """

    @classmethod
    def can_evaluate(cls, *, model_type: str | None, evaluator_config: Any, **_: Any) -> bool:
        """Whether it is a classifier."""
        return model_type in (None, "classifier")

    def evaluate(
        self, *, dataset: Any, run_id: str, evaluator_config: Any, model: Any = None, **_: Any
    ) -> EvaluationResult:
        """The metrics of the survey, which are also logged.

        Raises
        ------
        InputError : no probabilities, or what is wrong with them.
        """
        config = evaluator_config or {}
        columns = config.get("probability_columns")
        if columns is not None:
            probs = dataset.features_data[list(columns)].to_numpy(float)
        elif model is not None:
            probs = np.asarray(model.predict(dataset.features_data), float)
        else:
            raise InputError(
                "There are no probabilities: name their columns by evaluator_config, "
                '{"probability_columns": ["cat", "dog"]}.'
            )
        names = config.get("class_names", columns)
        p = Predictions.from_arrays(probs, dataset.labels_data, None if names is None else list(names))
        return EvaluationResult(metrics=metrics_of(log_survey(run_id, p)), artifacts={})
