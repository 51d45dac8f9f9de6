"""What each chart shows: its numbers, words, ranges and ticks, and what a hand that rests on a mark reads.

A module a chart. It stands here once, free of what draws. Three paint it:
``calibcore.charts.screen`` on the screen by plotly, ``calibcore.charts.paper`` on paper by matplotlib, and
``calibcore.charts.inline`` as an SVG. Text is plain: who paints it escapes it. Paper never loads plotly, nor
the screen matplotlib.
"""
