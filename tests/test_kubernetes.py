"""The example for Kubernetes: as its schema says, and with what the image and the server ask for."""

from typing import Any

import kubernetes_validate
import yaml

from calibcore.limits import SECRETS, VERSION, Server
from pages.server import entry, places
from tests.documents import ROOT
from tests.test_container import FINAL, of, the

TEXT = (ROOT / "docs/kubernetes/caliblens.yaml").read_text(encoding="utf-8")
ALL: dict[str, Any] = {part["kind"]: part for part in yaml.safe_load_all(TEXT)}
POD = ALL["Deployment"]["spec"]["template"]["spec"]
(APP,) = POD["containers"]
SETTINGS = {setting["name"]: setting["value"] for setting in APP["env"]}


def test_every_part_is_as_its_schema_says() -> None:
    assert set(ALL) == {"Deployment", "PersistentVolumeClaim", "Service", "NetworkPolicy"}
    for part in ALL.values():
        kubernetes_validate.validate(part, "1.30", strict=True)


def test_it_is_one_pod_whose_volume_is_its_own() -> None:
    deployment = ALL["Deployment"]["spec"]
    assert (deployment["replicas"], deployment["strategy"]) == (1, {"type": "Recreate"})
    assert ALL["PersistentVolumeClaim"]["spec"]["accessModes"] == ["ReadWriteOncePod"]
    names = {volume["name"] for volume in POD["volumes"]}
    assert {mount["name"]: mount["mountPath"] for mount in APP["volumeMounts"]} == {
        "data": "/data",
        "scratch": "/tmp",
        "secrets": "/run/secrets/caliblens",
    }
    assert names == {"data", "scratch", "secrets"}


def test_it_may_do_what_the_image_needs_and_no_more() -> None:
    user = int(the("USER").split(":")[0])
    security = POD["securityContext"]
    assert {security[key] for key in ("runAsUser", "runAsGroup", "fsGroup")} == {user}
    assert security["runAsNonRoot"] is True
    assert security["seccompProfile"] == {"type": "RuntimeDefault"}
    assert APP["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert POD["automountServiceAccountToken"] is False
    assert APP["resources"]["requests"]["memory"] == APP["resources"]["limits"]["memory"] == "2Gi"
    assert SETTINGS["CALIBLENS_THREADS"] == APP["resources"]["limits"]["cpu"]
    assert APP["image"].endswith(f":{VERSION}")


def test_probes_ask_what_the_server_answers(monkeypatch: Any) -> None:
    probes = {name: APP[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert [probe["path"].removeprefix("/") for probe in probes.values()] == [
        places.HEALTH, places.HEALTH, places.READY,
    ]  # fmt: skip
    monkeypatch.setattr(entry, "SERVER", Server(base_url=SETTINGS["CALIBLENS_BASE_URL"]))
    assert entry.named_so(["10.1.2.3:8501"])  # so a probe asks, although the server has a name
    (port,) = APP["ports"]
    assert str(port["containerPort"]) in of(FINAL, "EXPOSE")
    assert {probe["port"] for probe in probes.values()} == {port["name"]}
    assert ALL["Service"]["spec"]["ports"][0]["targetPort"] == port["name"]


def test_its_settings_are_taken_and_its_secrets_stand_in_files(tmp_path: Any) -> None:
    given = {}
    for name, value in SETTINGS.items():
        if name.endswith("_FILE"):
            file = tmp_path / value.rpartition("/")[2]
            file.write_text("s3cret\n")
            value = str(file)
        given[name] = value
    server = Server.from_environment(given)
    assert server.signs_in
    assert (server.cookie_secret, server.oidc_client_secret) == ("s3cret", "s3cret")
    assert {f"CALIBLENS_{name.upper()}" for name in SECRETS}.isdisjoint(SETTINGS)
    mounted = POD["volumes"][-1]["secret"]
    assert f"kubectl create secret generic {mounted['secretName']}" in TEXT


def test_who_reaches_it_and_whom_it_reaches_is_named() -> None:
    policy = ALL["NetworkPolicy"]["spec"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    (inwards,) = policy["ingress"]
    assert len(inwards["from"]) == 2
    assert inwards["ports"] == [{"port": 8501, "protocol": "TCP"}]
    assert {port["port"] for rule in policy["egress"] for port in rule["ports"]} == {53, 443}
    labels = ALL["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert policy["podSelector"]["matchLabels"] == labels == ALL["Service"]["spec"]["selector"]
