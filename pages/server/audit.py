"""What was done by whom, a line an event: no name of a file, no value, no secret."""

import json
import logging

_log = logging.getLogger("caliblens.audit")


def record(event: str, **fields: str | int) -> None:
    """Note an event with what is known of it."""
    _log.info("%s %s", event, json.dumps(fields, ensure_ascii=False, sort_keys=True))
