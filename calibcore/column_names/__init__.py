"""What names of columns say: that they hold probabilities, labels or something else, and of which class.

:mod:`.names` says what one name tells, :mod:`.class_forms` what the classes of several are called.
:mod:`.lexicon` has the words. Files and tables in memory are read by these same rules.
"""
