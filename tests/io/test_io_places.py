"""Places of which only so many are taken at once, in turn."""

import threading

import pytest

from calibcore.io.places import Places


class Crowd:
    """Visitors who come one after another; ``order`` is who was let in, ``most`` how many were inside."""

    def __init__(self, places: Places) -> None:
        self.places, self.order, self.threads = places, list[str](), list[threading.Thread]()
        self.inside, self.most, self.lock = 0, 0, threading.Lock()

    def comes(self, visitor: str, leaves: threading.Event) -> None:
        came = threading.Event()

        def stays() -> None:
            with self.places.one(visitor, came.set):
                with self.lock:
                    self.order.append(visitor)
                    self.inside += 1
                    self.most = max(self.most, self.inside)
                came.set()
                leaves.wait(60)
                with self.lock:
                    self.inside -= 1

        thread = threading.Thread(target=stays)
        thread.start()
        self.threads.append(thread)
        assert came.wait(60)

    def over(self) -> None:
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()


def test_it_goes_round_by_visitor() -> None:
    crowd, first, rest = Crowd(Places(1, 1)), threading.Event(), threading.Event()
    rest.set()
    crowd.comes("ann", first)
    for visitor in ("ann", "ann", "bob", "cid", "bob"):
        crowd.comes(visitor, rest)
    first.set()
    crowd.over()
    assert crowd.order[0] == "ann"
    assert crowd.order[1:3] == ["bob", "cid"]  # neither was served before
    assert crowd.order[3:] == ["ann", "bob", "ann"]
    assert crowd.most == 1


def test_nobody_has_all_places() -> None:
    crowd, late = Crowd(Places(3, 2)), threading.Event()
    for _ in range(4):
        crowd.comes("ann", late)
    crowd.comes("bob", late)
    assert sorted(crowd.order) == ["ann", "ann", "bob"]
    late.set()
    crowd.over()
    assert (len(crowd.order), crowd.most) == (5, 3)


def test_who_goes_while_waiting_is_waited_for_by_nobody() -> None:
    places = Places(1, 1)

    def goes() -> None:
        raise KeyboardInterrupt

    with places.one("ann", lambda: None):
        with pytest.raises(KeyboardInterrupt), places.one("bob", goes):
            pytest.fail("there is no place")
        assert places._waiting == []
    with places.one("cid", goes):
        pass
