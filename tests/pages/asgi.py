"""A request to one layer of the server, without a server."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send


def asked(
    layer: Callable[[ASGIApp], ASGIApp], kind: str, path: str, method: str, headers: dict[str, str]
) -> tuple[Scope | None, list[Message]]:
    """What comes through to the app behind the layer, if it comes, and what is answered."""
    reached: list[Scope] = []
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope: dict[str, Any] = {"type": kind, "path": path, "method": method, "headers": pairs}
    asyncio.run(layer(app)(scope, receive, send))  # type: ignore[arg-type]
    return (reached[0] if reached else None), sent
