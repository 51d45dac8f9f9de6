"""What the columns of a table are: predictions, labels, names, right answers, several models, a follow-up.

:mod:`.look` says what stands in the columns. :mod:`.prediction_columns` and :mod:`.label_columns` find every
set that fits, :mod:`.labels` and :mod:`.binary_labels` say what the labels stand for, and
:mod:`.understanding` puts them together: one reading, or a question.
"""
