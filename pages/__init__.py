"""The web dashboard. A setting of the server that is wrong ends the app here, in one sentence."""

from calibcore.limits import check_or_exit

check_or_exit()
