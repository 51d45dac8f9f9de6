"""The examples of docs/server.md for nginx: programs, large files and live pages go through."""

import io
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
from websockets.sync.client import connect

from tests.browser.conftest import ROOT, free_port, started
from tests.cluster.machines import until
from tests.pages.programs import EVENT_FILE

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
NAME = "caliblens.example.org"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NGINX is None, reason="there is no nginx; apt-get install nginx-light"),
]


def examples() -> dict[str, str]:
    """How the server is reached -> what docs/server.md says for it: lines of a configuration."""
    text = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
    (own_host,) = (block for block in blocks if block.startswith("server {"))
    kept, taken = (block.partition("# Traefik")[0] for block in blocks if block.startswith("# nginx"))
    (more,) = re.findall(r"proxy_pass [^\n]*\n(.*?)}", kept, re.DOTALL)
    taken = taken.replace("    # … the other lines as above\n", more)
    assert "…" not in taken
    assert taken.count("proxy_pass") == 1
    return {"a host of its own": own_host, "a path": kept, "a path that is taken away": taken}


def certificate(folder: Path) -> None:
    """For :data:`NAME`, signed by itself."""
    made = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout caliblens.key -out caliblens.pem"
        f" -subj /CN={NAME} -addext subjectAltName=DNS:{NAME}"
    )
    subprocess.run(made.split(), cwd=folder, check=True, capture_output=True)


@contextmanager
def nginx(folder: Path, example: str, port: int, app: int) -> Iterator[None]:
    """nginx with an example at a port, in front of the app at another."""
    if example.startswith("server {"):
        certificate(folder)
        server = example.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl").replace(
            "/etc/ssl", str(folder)
        )
    else:
        server = f"server {{\nlisten 127.0.0.1:{port};\n{example}\n}}"
    server = server.replace("127.0.0.1:8501", f"127.0.0.1:{app}")
    places = "".join(
        f"{each}_temp_path {folder}/{each};\n"
        for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{server}\n}}\n"
    )
    assert NGINX is not None
    command = [NGINX, "-c", str(configuration), "-p", str(folder), "-e", f"{folder}/error.log"]
    process = subprocess.Popen(command)
    try:
        until(lambda: _answers(port), 20)
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)
    assert not re.findall(r"\[(?:emerg|crit|error)\].*", (folder / "error.log").read_text())


def _answers(port: int) -> bool:
    with socket.socket() as wire:
        return wire.connect_ex(("127.0.0.1", port)) == 0


def large(megabytes: int) -> bytes:
    """A file of predictions of about that size, not packed."""
    n, m = megabytes * 1_000_000 // (8 * 10), 9
    rng = np.random.default_rng(0)
    probs = rng.dirichlet(np.ones(m), n)
    buffer = io.BytesIO()
    np.savez(buffer, probs=probs, labels=rng.integers(m, size=n))
    return buffer.getvalue()


@pytest.mark.parametrize("way", ["a host of its own", "a path", "a path that is taken away"])
def test_what_the_docs_say_of_nginx_works(way: str, tmp_path: Path) -> None:
    app, port = free_port(), free_port()
    below = "" if way == "a host of its own" else "/caliblens"
    settings = {"STREAMLIT_SERVER_BASE_URL_PATH": "caliblens"} if way == "a path" else {}
    if way == "a host of its own":
        settings["CALIBLENS_PROXIES"] = "1"
    if way == "a path that is taken away":
        settings["CALIBLENS_BASE_URL"] = f"http://127.0.0.1:{port}{below}"
    (tmp_path / "nginx").mkdir()
    with (
        started(tmp_path, app, **settings),
        nginx(tmp_path / "nginx", examples()[way], port, app),
    ):
        trust = ssl.create_default_context()
        if below:
            root, host, scheme = f"http://127.0.0.1:{port}", f"127.0.0.1:{port}", "http"
        else:
            trust = ssl.create_default_context(cafile=str(tmp_path / "nginx" / "caliblens.pem"))
            root, host, scheme = f"https://127.0.0.1:{port}", NAME, "https"
        extensions = {} if below else {"sni_hostname": NAME}
        with httpx.Client(base_url=root, headers={"Host": host}, verify=trust, timeout=120) as program:

            def asked(method: str, path: str, **sent: object) -> httpx.Response:
                request = program.build_request(method, path, **sent)  # type: ignore[arg-type]
                request.extensions |= extensions
                return program.send(request)

            def fetched(response: httpx.Response) -> dict[str, object]:
                told: dict[str, object] = response.json()
                while response.status_code == 202 and told.get("state") not in ("done", "failed"):
                    href = f"{below}/api/v1/jobs/{told['job']}"
                    told = asked("GET", href, params={"wait": "20"}).json()
                answer = told.get("result", told)
                assert isinstance(answer, dict)
                return answer

            api = f"{below}/api/v1"
            assert asked("GET", f"{below}/").status_code == 200
            assert asked("GET", f"{api}/docs").status_code == 200
            response = asked(
                "POST", f"{api}/survey", files={"predictions": EVENT_FILE}, data={"report": "yes"}
            )
            told = fetched(response)
            report = told["report"]
            assert isinstance(report, dict)
            assert report["link"].startswith(f"{scheme}://{host}{below}/r/"), report
            assert asked("GET", report["link"].partition(host)[2]).status_code == 200
            data = large(100)
            assert len(data) > 95e6
            sent = {"predictions": ("large.npz", data)}
            response = asked("POST", f"{api}/survey", files=sent, data={"sample": "1000"})
            assert response.status_code in (200, 202), response.text
            told = fetched(response)
            assert told["data"]["n"] == 1_000, told  # type: ignore[index]
            assert not list((tmp_path / "nginx" / "client_body").rglob("*/*"))  # nothing was put down
        with socket.create_connection(("127.0.0.1", port)) as wire:
            address = f"{scheme.replace('http', 'ws')}://{host}{below}/_stcore/stream"
            secure = {} if below else {"ssl": trust, "server_hostname": NAME}
            with connect(
                address,
                sock=wire,
                origin=f"{scheme}://{host}",
                subprotocols=["streamlit"],
                **secure,  # type: ignore[arg-type]
            ) as live:
                live.ping().wait(20)
