"""Many small cases in one test: thousands of tests take longer to collect and report than to run."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any


@contextmanager
def case(*names: object) -> Iterator[None]:
    """Within, whatever fails says that it is this case."""
    try:
        yield
    except BaseException as error:
        error.add_note("In the case " + ", ".join(str(name)[:200] for name in names))
        raise


def each(
    names: str | tuple[str, ...],
    values: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], object] = repr,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, but one test, which stops at the first case that fails and names it."""
    parameters = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [tuple(value) if len(parameters) > 1 else (value,) for value in values]
    assert cases
    assert all(len(one) == len(parameters) for one in cases)
    labels = None if callable(ids) else list(ids)

    def parametrised(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test)
        def whole(**fixtures: Any) -> None:
            for number, one in enumerate(cases):
                with case(labels[number]) if labels else case(*map(ids, one)):
                    test(**fixtures, **dict(zip(parameters, one, strict=True)))

        rest = [one for name, one in signature.parameters.items() if name not in parameters]
        whole.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return whole

    return parametrised
