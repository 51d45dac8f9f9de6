"""Calibration over the epochs of a training run."""

from calibcore.questions.training.result import Epoch, TrainingRun
from calibcore.questions.training.run import training

__all__ = ["Epoch", "TrainingRun", "training"]
