"""What a chart shows: numbers, words, ranges, ticks, and what a hand that rests on a mark reads.

A module a chart; what the chart of a question shows stands in the folder of the question. It stands there
once, free of what draws: :mod:`calibcore.painters` does. Text is plain: who paints it escapes it.
"""
