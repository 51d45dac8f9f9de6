"""compose.yaml: what it promises about who reaches whom and what each may use."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from distributed.cli import dask_scheduler, dask_worker

ROOT = Path(__file__).parents[1]
ALL: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = ALL["services"]
WORKERS = [name for name in SERVICES if name.startswith("worker")]
CLUSTER = ["scheduler", *WORKERS]
OURS = ["app", *CLUSTER]
ADDRESS = "tcp://scheduler:8786"


def options(name: str) -> set[str]:
    return set(SERVICES[name]["command"])


def test_a_scheduler_and_two_workers_of_the_image_of_the_app() -> None:
    assert len(WORKERS) == 2
    assert set(SERVICES) == {"app", "database", *CLUSTER}
    assert {SERVICES[name]["image"] for name in OURS} == {"caliblens"}
    assert [name for name in SERVICES if "build" in SERVICES[name]] == ["app"]


def test_the_cluster_is_there_only_if_it_is_asked_for() -> None:
    assert {name for name in SERVICES if "profiles" in SERVICES[name]} == {*CLUSTER}
    assert all(SERVICES[name]["profiles"] == ["cluster"] for name in CLUSTER)
    assert not set(CLUSTER) & set(SERVICES["app"]["depends_on"])
    assert SERVICES["app"]["environment"]["CALIBLENS_CLUSTER"] == "${CALIBLENS_CLUSTER:-}"
    assert f"CALIBLENS_CLUSTER={ADDRESS} docker compose --profile cluster up" in (
        ROOT / "compose.yaml"
    ).read_text(encoding="utf-8")


def test_nobody_but_the_app_reaches_the_scheduler() -> None:
    reached = {name: set(SERVICES[name]["networks"]) for name in SERVICES}
    assert all(reached[name] == {"cluster"} for name in CLUSTER)
    assert {name for name in SERVICES if "cluster" in reached[name]} == {*OURS}
    assert ALL["networks"]["cluster"] == {"internal": True}
    assert [name for name in SERVICES if "ports" in SERVICES[name]] == ["app"]
    assert all("network_mode" not in service for service in SERVICES.values())


@pytest.mark.parametrize("name", OURS)
def test_each_may_use_little(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["mem_limit"][-1] == "g"
    assert service["pids_limit"] == 256
    assert all(place.startswith("/tmp:") and "nosuid,nodev" in place for place in service["tmpfs"])
    assert "volumes" not in service or name == "app"


@pytest.mark.parametrize("name", WORKERS)
def test_a_worker_does_one_task_at_a_time_in_its_own_memory(name: str) -> None:
    assert SERVICES[name]["command"][:3] == ["dask", "worker", ADDRESS]
    assert {"--nthreads=1", "--memory-limit=0.9", "--local-directory=/tmp"} <= options(name)
    assert "CALIBLENS_THREADS" in SERVICES[name]["environment"]
    assert SERVICES[name]["depends_on"] == {"scheduler": {"condition": "service_healthy"}}


@pytest.mark.parametrize("name", CLUSTER)
def test_health_is_asked_for_where_it_is_told(name: str) -> None:
    assert {"--dashboard-address=127.0.0.1:8787", "--no-dashboard"} <= options(name)
    (code,) = SERVICES[name]["healthcheck"]["test"][4:]
    assert "'127.0.0.1', 8787" in code
    assert "'/health'" in code
    assert SERVICES[name]["healthcheck"]["test"][:4] == ["CMD", "python", "-I", "-c"]
    compile(code, "health", "exec")


def test_the_scheduler_listens_where_the_others_look() -> None:
    assert f"--port={ADDRESS.rpartition(':')[2]}" in options("scheduler")


@pytest.mark.parametrize("name", CLUSTER)
def test_dask_knows_every_option(name: str) -> None:
    command = SERVICES[name]["command"]
    main = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}[command[1]]
    assert main.make_context(name, command[2:]).params["dashboard"] is False
