"""The fraction of a step becomes that of the whole, with words; and nobody need listen."""

from calibcore.numerics.progress import telling


def test_the_fraction_of_the_whole_is_told_with_the_words() -> None:
    told = []
    report = telling(lambda fraction, words: told.append((fraction, words)), "bandwidth 3 of 4", 2, 4)
    for fraction in (0.0, 0.5, 1.0):
        report(fraction)
    assert told == [(0.5, "bandwidth 3 of 4"), (0.625, "bandwidth 3 of 4"), (0.75, "bandwidth 3 of 4")]
    telling(lambda fraction, words: told.append((fraction, words)), "alone")(0.3)
    assert told[-1] == (0.3, "alone")
    telling(None, "to nobody")(0.5)
