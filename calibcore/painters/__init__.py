"""Who paints charts: ``screen`` by plotly, ``paper`` by matplotlib, ``inline`` as an SVG.

None knows another: paper never loads plotly, nor the screen matplotlib.
"""
