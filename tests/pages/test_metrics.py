"""``/metrics``: numbers under words of ours, and nothing where nobody asked for it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.testclient import TestClient

from calibcore import InputError
from calibcore.limits import Server
from calibcore.store import StoreError
from pages.server import metrics, places, report_route, routes
from pages.server.metrics import Metrics, kind_of
from pages.work import job as jobs
from pages.work.job import Job
from pages.work.queue import Crowded
from tests.cases import each


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr(report_route, "SERVER", Server(tmp_path))
    report_route.store.cache_clear()
    ours = places.Own(f"/{metrics.PLACE}", metrics.show)
    yield TestClient(Starlette(routes=[ours, *routes.routes], middleware=routes.middleware))
    report_route.store().close()
    report_route.store.cache_clear()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Metrics:
    made = Metrics()
    monkeypatch.setattr(metrics, "METRICS", made)
    return made


def numbers(client: TestClient) -> dict[tuple[str, ...], float]:
    """Name and labels of every sample -> its number."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_there_is_none_unless_it_is_asked_for(client: TestClient) -> None:
    assert metrics.METRICS is None
    as_people_get_it = TestClient(Starlette(routes=routes.routes, middleware=routes.middleware))
    assert as_people_get_it.get("/metrics").status_code == 404


def test_requests_are_counted_by_kind_and_status_alone(client: TestClient, counted: Metrics) -> None:
    client.get("/healthz")
    client.get("/r/" + "secret-token" * 3)
    client.get("/patients/4711?name=ann")
    found = numbers(client)
    assert found["caliblens_requests_total", "probe", "2xx"] == 1
    assert found["caliblens_requests_total", "report", "4xx"] == 1
    assert found["caliblens_requests_total", "other", "4xx"] == 1
    assert found["caliblens_shares",] == 0
    assert found["caliblens_memory_bytes",] > 1e6
    text = client.get("/metrics").text
    assert not any(word in text for word in ("secret-token", "4711", "ann", "testclient"))


@each(
    "error, state",
    [(None, "done"), (InputError("x"), "refused"), (Crowded(), "crowded"), (ValueError("x"), "failed")],
)
def test_work_is_counted_by_how_it_ended(
    error: Exception | None, state: str, client: TestClient, counted: Metrics
) -> None:
    before = numbers(client).get(("caliblens_jobs_total", "survey", state), 0.0)
    job: Job[int] = Job(kind="survey")
    job.worked = job.begun
    jobs._ended(job, 1, error)
    jobs._ended(job)  # over already
    found = numbers(client)
    assert found["caliblens_jobs_total", "survey", state] == before + 1
    assert found["caliblens_job_seconds_count", "survey"] >= 1
    assert (found["caliblens_jobs_at_work",], found["caliblens_jobs_waiting",]) == (0, 0)


def test_a_store_that_is_gone_is_left_out_and_asked_seldom(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, asked = [0.0], []

    class Gone:
        def tokens(self) -> list[bytes]:
            asked.append(clock[0])
            raise StoreError("postgresql://me:secret@there/db")

    real = report_route.store
    monkeypatch.setattr(metrics.report_route, "store", Gone)
    monkeypatch.setattr(metrics, "METRICS", Metrics(lambda: clock[0]))
    for _ in range(3):
        assert ("caliblens_shares",) not in numbers(client)
    clock[0] += metrics.FRESH
    assert ("caliblens_shares",) not in numbers(client)
    assert asked == [0.0, metrics.FRESH]
    monkeypatch.setattr(metrics.report_route, "store", real)


@each(
    "place, kind",
    [
        ("", "page"), ("overview", "page"), ("r/x", "report"), ("api/v1/survey", "api"),
        ("metrics", "probe"), ("_stcore/upload_file/a/b", "upload"), ("static/x.js", "parts"),
        ("nothing", "other"), (None, "other"),
    ],
)  # fmt: skip
def test_a_kind_is_one_of_few_words(place: str | None, kind: str) -> None:
    assert kind_of(place) == kind


def test_a_label_is_never_made_of_data() -> None:
    assert json.dumps(sorted(Metrics().requests._labelnames)) == '["kind", "status"]'
