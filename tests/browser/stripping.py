"""A reverse proxy that takes a prefix away, as nginx and Traefik can: the server behind it never sees it.

A process of its own, as a real one is: what a browser leaves open ends with it.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

NOWHERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\nConnection: close\r\n\r\nproxy"
"""To what is not below the prefix, for which another app of the host would answer."""


@contextmanager
def stripping(prefix: str, port: int) -> Iterator[str]:
    """In front of the server at ``port`` of this machine: its address, with the prefix."""
    command = [sys.executable, __file__, prefix, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://localhost:{process.stdout.readline().strip()}{prefix}"
        finally:
            process.terminate()


async def main(prefix: str, port: int) -> None:
    """Say the port and pass on what comes there, until the process is ended."""
    listener = await asyncio.start_server(lambda *ends: _passed_on(prefix, port, *ends), "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    await listener.serve_forever()


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


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
