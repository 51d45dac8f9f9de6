"""The command line as a stable interface."""

import json
import shlex
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore import ECE, DiagnosisSpec, Predictions, diagnose
from calibcore.__main__ import main, parser, script
from calibcore.cli.arguments import COMMANDS, Command, commands_in
from calibcore.diagram.binning import EqualMassBinning, default_binning
from calibcore.questions.registry import QUESTIONS
from calibcore.transforms.lenses import TopKLens
from tests.cli.commands import run

ROOT = Path(__file__).parents[2]
NAMES = ("cat", "dog", "owl")


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    rng = np.random.default_rng(5)
    probs = np.round(rng.dirichlet(np.ones(3), size=120), 6)
    probs[:, 2] = 1 - probs[:, 0] - probs[:, 1]
    labels = (rng.random((120, 1)) > probs.cumsum(axis=1)).sum(axis=1).clip(max=2)
    return Predictions.from_arrays(np.abs(probs), labels, NAMES)


@pytest.fixture(scope="module")
def table(predictions: Predictions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "table.csv"
    rows = [
        ",".join([*map(repr, row.tolist()), NAMES[y]])
        for row, y in zip(predictions.probs, predictions.labels, strict=True)
    ]
    path.write_text("\n".join([",".join([*NAMES, "label"]), *rows]) + "\n")
    return path


def test_json_is_one_object_with_the_promised_keys(
    table: Path, predictions: Predictions, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "diagnose", table, "--json", "--resamples", 99)
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["data"] == {
        "kind": "probabilities",
        "n": 120,
        "m": 3,
        "class_names": list(NAMES),
        "fingerprint": predictions.fingerprint,
    }
    assert set(document["scores"]) == {"accuracy", "brier", "log_loss", "spherical"}
    assert {"ece", "mce", "n_bins", "under_calibration"} <= set(document["calibration_error"])
    assert set(document["calibration_error"]["under_calibration"]) == {"mean", "sd", "low", "high"}
    assert {"biased", "unbiased", "linear", "bandwidth"} <= set(document["skce"])
    assert [test["name"] for test in document["tests"]] == [
        "exact-omnibus",
        "exact-ece",
        "exact-skce",
        "consistency-ece",
        "distribution-free-biased",
        "distribution-free-unbiased",
        "distribution-free-linear",
        "distribution-free-block",
        "distribution-free-given-predictions",
        "asymptotic-linear",
        "asymptotic-block",
        "asymptotic-unbiased",
        "asymptotic-cme",
    ]
    for test in document["tests"]:
        assert {"name", "estimator", "statistic", "p_value", "promise"} <= set(test)
        assert 0 < test["p_value"] <= 1


def test_the_words_of_the_readme_are_the_settings(
    table: Path, predictions: Predictions, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = "--lens confidence --binning equal-mass:15 --distance squared-euclidean --kernel gaussian "
    arguments += "--bandwidth 0.5 --tests exact --resamples 49 --seed 3 --bars resampled --interval 0.1,0.9"
    _, out, _ = run(capsys, "diagnose", table, "--json", *arguments.split())
    document = json.loads(out)
    spec = document["spec"]
    assert spec["lens"] == {"kind": "top-k", "k": 1}
    assert spec["binning"] == {"kind": "equal-mass", "n_bins": 15}
    assert spec["kernel"] == {
        "kind": "gaussian", "bandwidth": 0.5, "metric": "euclidean", "class_matrix": None
    }  # fmt: skip
    assert (spec["tests"], spec["resamples"], spec["seed"]) == (["exact"], 49, 3)
    assert (spec["bars"], spec["interval"]) == ("resampled", [0.1, 0.9])
    expected = ECE(EqualMassBinning(15), "squared-euclidean")(TopKLens(1)(predictions))
    assert_allclose(document["calibration_error"]["ece"], expected, rtol=1e-12)
    assert [test["name"] for test in document["tests"]] == ["exact-ece", "exact-skce"]


def test_command_line_and_library_give_the_same_document(
    table: Path, predictions: Predictions, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "diagnose", table, "--json", "--resamples", 49, "--seed", 7)
    from_file = json.loads(out)
    assert (
        from_file.pop("notes")[0] == "Read as text separated by commas, with a header: 120 rows, 4 columns."
    )
    spec = DiagnosisSpec(binning=default_binning(3, 120), resamples=49, seed=7)
    in_memory = json.loads(diagnose(predictions, spec).to_json())
    assert in_memory.pop("notes") == []
    assert from_file == in_memory


def test_a_spec_file_is_used_and_flags_override_it(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.json"
    spec.write_text(DiagnosisSpec(lens=TopKLens(2), resamples=19, seed=4).to_json())
    _, out, _ = run(capsys, "diagnose", table, "--json", "--spec", spec, "--seed", 9, "--bandwidth", "mean")
    again = tmp_path / "diagnosis.json"
    again.write_text(out)
    _, out_again, _ = run(capsys, "diagnose", table, "--json", "--spec", again)
    assert out_again == out
    found = json.loads(out)["spec"]
    assert found["lens"] == {"kind": "top-k", "k": 2}
    assert (found["resamples"], found["seed"]) == (19, 9)
    assert found["kernel"]["bandwidth"] == "mean"


def test_labels_in_a_second_file(
    predictions: Predictions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    probs, labels = tmp_path / "p.npy", tmp_path / "y.csv"
    np.save(probs, predictions.probs)
    labels.write_text("\n".join(str(y + 1) for y in predictions.labels) + "\n")
    code, out, _ = run(capsys, "diagnose", probs, "--labels", labels, "--json", "--tests", "asymptotic")
    assert code == 0
    data = json.loads(out)["data"]
    assert (data["n"], data["class_names"]) == (120, ["1", "2", "3"])


def test_survey_json_and_text(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lenses = ("--lens", "confidence", "--lens", "class:dog")
    code, out, _ = run(capsys, "survey", table, *lenses, "--json")
    assert code == 0
    entries = json.loads(out)["lenses"]
    assert [entry["lens"] for entry in entries] == ["top-k:1", "class:dog"]
    assert all(entry["p_value"] <= entry["adjusted_p_value"] <= 1 for entry in entries)
    assert [entry["verdict"]["lens"]["kind"] for entry in entries] == ["top-k", "class"]
    assert {entry["verdict"]["tolerance"] for entry in entries} == {0.05}
    assert [entry["class_name"] for entry in json.loads(out)["class_frequencies"]] == list(NAMES)
    _, text, _ = run(capsys, "survey", table, *lenses)
    assert "The class 'dog'" in text
    assert "exact for independent cases" in text


def test_the_tolerance_decides_between_consistent_and_cannot_tell(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(tolerance: float) -> str:
        _, out, _ = run(capsys, "survey", table, "--lens", "class:dog", "--json", "--tolerance", tolerance)
        entry = json.loads(out)["lenses"][0]
        assert entry["diagnosis"]["spec"]["tolerance"] == entry["verdict"]["tolerance"] == tolerance
        return str(entry["verdict"]["answer"])

    assert (answer(0.001), answer(0.9)) == ("cannot-tell", "consistent")
    code, _, err = run(capsys, "survey", table, "--tolerance", 5)
    assert (code, "expected a number between 0 and 1" in err) == (2, True)


def test_text_names_each_promise(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "diagnose", table, "--resamples", 99)
    assert code == 0
    for promise in (
        "exact for independent cases",
        "upper bound, conservative",
        "approximate, large samples",
        "no guarantee; for comparison",
    ):
        assert promise in out
    assert "p = 0.0\n" not in out
    assert "120 cases, 3 classes" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--lens", "class:horse"], "There is no class 'horse'; the classes are 'cat', 'dog', 'owl'."),
        (["--lens", "nonsense"], "There is no lens 'nonsense'"),
        (["--lens", "top-k:3"], "expected k from 1 to 2"),
        (["--binning", "equal-mass:5"], "need a lens with two classes"),
        (["--binning", "uniform:0"], "expected 1 or more"),
        (["--bandwidth", "wide"], "There is no bandwidth 'wide'"),
        (["--tests", "exact,magic"], "There is no test 'magic'"),
        (["--kernel", "gaussian", "--metric", "total-variation"], "not positive definite"),
        (["--resamples", "0"], "expected 1 to 1,000,000"),
        (["--interval", "0.9,0.1"], "0 < low < high < 1"),
        (["--spec", "nowhere.json"], "expected a file of JSON text"),
        (["--label-column", "truth"], "'truth'"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(
    table: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "diagnose", table, "--json", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("diagnose x.csv --tets exact", "There is no flag '--tets'; did you mean --tests?"),
        ("diagnose x.csv --sead=3", "There is no flag '--sead'; did you mean --seed?"),
        ("diagnose x.csv --qqq", "There is no flag '--qqq'."),
        ("survey x.csv --by", "There is no flag '--by'; did you mean --by-length?"),
        ("diagnose x.csv --resamp=9", "There is no flag '--resamp'; did you mean --resamples?"),
        ("diagnose x.csv --class-names a, b", "'b' is one argument too many."),
        ("diagnose", "The following arguments are required: PREDICTIONS."),
        ("survey x.csv --confidence y", "There is no flag '--confidence'; did you mean --confidence-column?"),
        ("report x.csv", "The following arguments are required: --out."),
        ("stream x.parquet --resamples many", "The value of --resamples is 'many'; expected a whole number."),
    ],
)
def test_a_wrong_flag_is_one_line_and_exit_code_2(
    arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments.split())
    captured = capsys.readouterr()
    assert (stopped.value.code, captured.out) == (2, "")
    assert captured.err.startswith(sentence)
    command = arguments.split()[0]
    assert captured.err.endswith(f" For what there is: python -m calibcore {command} --help\n")
    assert captured.err.count("\n") == 1


def test_the_program_is_called_what_was_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"caliblens": "calibcore.__main__:script"}
    for program, called in (("caliblens", script), ("python -m calibcore", main)):
        for rest, code in (("survey --help", 0), ("survey", 2), ("--help", 0), ("survey x.csv --qqq", 2)):
            monkeypatch.setattr(sys, "argv", ["/somewhere/bin/caliblens", *rest.split()])
            with pytest.raises(SystemExit) as stopped:
                called()
            assert stopped.value.code == code
            out, err = capsys.readouterr()
            assert f"{program} " in out + err
            assert (program == "caliblens") != ("python -m" in out + err)


@pytest.mark.parametrize(("command", "lines"), [(name, of.examples) for name, of in COMMANDS.items()])
def test_the_examples_can_be_typed_and_are_shown(
    command: str, lines: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for line in lines:
        assert parser().parse_args(shlex.split(line.partition(" > ")[0])).command == command
    for words, expected in (([command], lines), ([], lines[:1])):
        with pytest.raises(SystemExit):
            parser("caliblens").parse_args([*words, "--help"])
        shown = capsys.readouterr().out.splitlines()
        assert all(f"  caliblens {line}" in shown for line in expected)


COMMAND = """
EXAMPLES = ("count-rows predictions.csv",)


def add_arguments(command):
    command.add_argument("predictions")


def run(arguments, progress):
    return f"{arguments.predictions} has rows", 0
"""


def test_a_module_of_the_folder_is_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def commands(package: str, **files: str) -> Mapping[str, Command]:
        (tmp_path / package).mkdir()
        for name, text in {"__init__": "", "helpers": "HELP = 'none of its own'\n", **files}.items():
            (tmp_path / package / f"{name}.py").write_text(text)
        return commands_in(package, [str(tmp_path / package)])

    monkeypatch.syspath_prepend(str(tmp_path))
    placed = COMMAND + "HELP = 'says how many'\nPLACE = 25\n"
    made = commands("ours", zero=COMMAND + "HELP = 'the last'\n", count_rows=placed)
    assert list(made) == ["count-rows", "zero"]
    monkeypatch.setattr("calibcore.cli.arguments.COMMANDS", {**COMMANDS, **made})
    monkeypatch.setattr("calibcore.__main__.COMMANDS", {**COMMANDS, **made})
    assert run(capsys, "count-rows", "x.csv") == (0, "x.csv has rows\n", "")
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "says how many" in capsys.readouterr().out
    with pytest.raises(TypeError, match=r"in without\.broken lacks add_arguments and run and HELP"):
        commands("without", broken="EXAMPLES = ('broken',)\n")


def test_a_question_says_what_its_command_does() -> None:
    for question in QUESTIONS.values():
        assert COMMANDS[question.command].help == question.help


def test_a_wrong_command_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["diagnos", "x.csv"])
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert all(command in err for command in ("diagnose", "survey", "stream", "figure", "report", "app"))


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "diagnose", "nowhere.csv")
    assert (code, out) == (2, "")
    assert "nowhere.csv" in err


def test_memory_that_runs_out_is_one_sentence(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked_for_too_much(*_: object) -> None:
        np.empty((1 << 40, 1 << 10))  # 8 PB

    monkeypatch.setattr("calibcore.cli.diagnose.diagnose", asked_for_too_much)
    assert main(["diagnose", str(table)]) == 3
    out, said = capsys.readouterr()
    assert out == ""
    assert said.startswith("There is not enough memory for this.")
    assert "Traceback" not in said
