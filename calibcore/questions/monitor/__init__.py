"""Is the model still calibrated, and if not since when: evidence that may be looked at after every case."""

from calibcore.questions.monitor.ask import monitor
from calibcore.questions.monitor.result import Monitoring
from calibcore.questions.monitor.windows import Window

__all__ = ["Monitoring", "Since", "Window", "monitor"]
