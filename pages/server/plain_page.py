"""A page of a title and a sentence, where the app itself is not shown."""

from starlette.responses import HTMLResponse, Response

_STYLE = "font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 15vh auto; padding: 0 1rem"


def plain_page(status: int, title: str, words: str, headers: dict[str, str] | None = None) -> Response:
    """A page of a title and a sentence of ours, which may have links."""
    page = (
        f'<!DOCTYPE html><html lang="en" style="color-scheme: light dark"><meta charset="utf-8">'
        f"<title>{title}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<body style="{_STYLE}"><h1 style="font-size: 1.4rem">{title}</h1><p>{words}</p></body></html>'
    )
    return HTMLResponse(page, status, headers=headers)
