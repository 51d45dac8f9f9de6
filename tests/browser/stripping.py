"""A reverse proxy that takes a prefix away, as nginx and Traefik can: the server behind it never sees it."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

NOWHERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nConnection: close\r\n\r\nproxy"
"""To what is not below the prefix, for which another app of the host would answer."""


@contextmanager
def stripping(prefix: str, port: int) -> Iterator[str]:
    """In front of the server at ``port`` of this machine: its address, with the prefix."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def listen() -> asyncio.Server:
        return await asyncio.start_server(lambda *ends: _passed_on(prefix, port, *ends), "127.0.0.1", 0)

    async def close() -> None:
        listener.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    listener = asyncio.run_coroutine_threadsafe(listen(), loop).result()
    try:
        yield f"http://localhost:{listener.sockets[0].getsockname()[1]}{prefix}"
    finally:
        asyncio.run_coroutine_threadsafe(close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _passed_on(
    prefix: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """One request of a connection, or the websocket that it becomes."""
    ends = [writer]
    try:
        first, _, head = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        method, path, version = first.split(b" ")
        if not path.startswith(f"{prefix}/".encode()):
            writer.write(NOWHERE)
            await writer.drain()
        else:
            behind_reader, behind = await asyncio.open_connection("127.0.0.1", port)
            ends.append(behind)
            if b"upgrade: websocket" not in head.lower():
                others = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
                head = b"\r\n".join([b"Connection: close", *others])
            behind.write(b" ".join([method, path[len(prefix) :], version]) + b"\r\n" + head)
            await asyncio.gather(_piped(reader, behind), _piped(behind_reader, writer))
    except (OSError, asyncio.IncompleteReadError):
        pass  # a browser opens connections in advance
    finally:
        for end in ends:
            end.close()
            with suppress(OSError):
                await end.wait_closed()


async def _piped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
