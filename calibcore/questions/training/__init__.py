"""How calibration changes over the epochs of a training run."""

from calibcore.questions.training.ask import REFERENCES, track_training
from calibcore.questions.training.result import Epoch, TrainingRun

__all__ = ["REFERENCES", "Epoch", "TrainingRun", "track_training"]
