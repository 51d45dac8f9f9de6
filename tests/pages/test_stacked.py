"""A file of several models below each other on the page Data: a button chooses one, or all rows are kept."""

from tests.io.test_stacked import KINDS, N
from tests.pages.harness import choose, opened, press, said, upload

CSV = KINDS["three variants"].to_csv(index=False)


def test_one_of_several_models_is_chosen_by_a_button() -> None:
    app = upload(opened("data", in_use="wine"), "models.csv", CSV)
    assert "Every value of 'ID' stands in 3 rows with the same label" in said(app)
    app = press(app, "Only variant B")
    assert f"B · {N} cases" in said(app)
    assert f"{N} rows of {3 * N} were kept, as asked: 'variant=B'." in said(app)
    assert app.text_input(key="read-model").value == "B"
    assert "may be too small" not in said(app)
    app = app.text_input(key="read-model").set_value("").run()
    assert "Column 'variant' says which model a row is from." in said(app)
    app = choose(app, "Column that says which model", "none")
    app = press(app, "Keep all rows, and say that those of one case belong together")
    assert f"models.csv · {3 * N} cases" in said(app)
    assert f"here {3 * N} cases come from {N} different values of 'ID'" in said(app)
    app = press(app, "Look at one row of each ID")
    assert "may be too small" not in "".join(warning.value for warning in app.warning)
