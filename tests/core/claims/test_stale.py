"""Whether a file has changed since a conversation saw it."""

import pytest

from hookd.core.claims.stale import is_stale
from hookd.core.model.claim import Claim, FilePlace, FileView, Stamp
from hookd.core.model.claim_requests import FileHash
from hookd.core.model.facts import Facts

AT = "2026-01-31T08:00:00.000Z"
NS = 1_769_846_400_000_000_000
OLD, NEW = Stamp(4, NS - 5, 1), Stamp(4, NS + 5_000_000_000, 1)
LATE = Stamp(4, NS + 11_000_000_000, 1)
CLAIM = Claim(1, "/", "path", "a", "x", 2, "bob", None, None, True, AT, None)


def place(stamp: Stamp | None) -> FilePlace:
    return FilePlace("/a", "/", "a", "file" if stamp else "nothing", stamp)


@pytest.mark.parametrize(
    ("now", "view", "stale"),
    [
        (OLD, FileView(OLD), False),
        (OLD, FileView(), False),  # it was never seen
        (None, FileView(OLD), False),  # it is gone: nothing is overwritten
        (NEW, FileView(OLD, "same"), False),  # only its time changed
        (NEW, FileView(OLD, "other"), True),
        (NEW, FileView(OLD), True),  # no hash
        (Stamp(5, NEW.mtime_ns, 1), FileView(OLD, "same"), True),  # another size
        (Stamp(4, OLD.mtime_ns, 2), FileView(OLD, "other"), True),  # replaced
        (Stamp(2_000_000, NEW.mtime_ns, 1), FileView(Stamp(2_000_000, 1, 1), "same"), True),
        (OLD, FileView(touched_at=AT), False),  # read while alone, unchanged since
        (NEW, FileView(touched_at=AT), True),
        (OLD, FileView(NEW, "other", AT), False),  # its own change while alone
        (NEW, FileView(OLD, "other", written_at=AT), False),  # a formatter has followed its write
        (LATE, FileView(OLD, "other", written_at=AT), True),
        (NEW, FileView(OLD, "other", since=(CLAIM,), written_at=AT), True),  # another works on it
    ],
)
def test_a_view_is_stale_if_the_content_may_differ(
    now: Stamp | None, view: FileView, stale: bool
) -> None:
    facts = Facts(resolved={FileHash("/a"): "same"})
    assert is_stale(place(now), view, facts) is stale
