"""Learn: the ideas lesson by lesson on live toy examples, and every term in one line."""

from pages.ui.learn import course

TITLE = "Learn"
HEADING = "What all this means"
ICON = "school"
GROUP = "Learn"
PLACE = 70
SIDEBAR = ("data",)
WITHOUT_DATA = True

course.draw(HEADING)
