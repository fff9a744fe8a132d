"""What `make bench` counts, and what its page tells."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT

BENCH = ROOT / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The modules of the benchmarks, which import each other by their bare names."""
    known = set(sys.modules)
    monkeypatch.syspath_prepend(BENCH)
    import hook
    import page

    yield hook, page
    for name in set(sys.modules) - known:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == BENCH:
            del sys.modules[name]


BUSY = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"


def test_processor_time_is_that_of_all_processes_of_a_hook(bench: Any) -> None:
    hook, _ = bench
    busy, outlived = (
        hook.Process("/bin/sh", ("-c", words), {})
        for words in (BUSY, f"({BUSY}) </dev/null >/dev/null & exit 0")
    )
    with hook.adopting():
        least = min(busy.run(b"").cpu for _ in range(3))
        assert outlived.run(b"").cpu > least / 2


def test_a_hook_that_ends_badly_is_no_measurement(bench: Any) -> None:
    hook, _ = bench
    with pytest.raises(hook.HookError, match="sh ended with 3"):
        hook.Process("/bin/sh", ("-c", "exit 3"), {}).run(b"{}")
    with pytest.raises(hook.HookError, match="ended with 3: it broke"):
        hook._tried(hook.Process("/bin/sh", ("-c", "echo it broke >&2; exit 3"), {}), b"{}")


def test_a_payload_is_as_long_as_it_says_and_never_the_same(bench: Any) -> None:
    hook, _ = bench
    for size in hook.SIZES:
        payload = hook._of_size(size.size)
        one, other = payload(), payload()
        assert one != other
        assert abs(len(one) - size.size) < 100


def test_the_page_tells_ratios_and_the_aims_that_are_missed(bench: Any) -> None:
    hook, page = bench
    costs = {
        "bash -c :": [hook.Cost(1, 2)] * 9 + [hook.Cost(100, 200)],
        "hookd, nc": [hook.Cost(3, 7)] * 10,
    }
    aims = (("hookd, nc", "bash -c :", hook.Aim(2.6)),)
    machine = {"cores": 2, "load": 1.5}
    found = page.Result(machine, 7, [hook.Comparison("a real call", costs, aims)], [])
    text = page.render(found)
    assert "\n| hookd, nc | 3 ms | 3 ms | 7 ms | 7 ms | 3.00x | 3.50x |\n" in text
    row = "| whole hook, a real call: hookd, nc / bash -c :, wall | 3 ms | 1 ms | 3.00x"
    assert f"\n{row} | <= 2.6x | NO |\n" in text
    assert "\n0 of 1 aims met, in 7 s.\n" in text
    assert "cores 2, load 1.5." in text
    assert "Others kept the cores busy" in text


def test_an_older_build_is_a_column_where_it_was_measured(bench: Any) -> None:
    _, page = bench
    import rows

    measured = rows.Row("a call, p50 / echo", "ms", 1.0, 0.5, rows.Aim(3), before=4.0)
    other = rows.Row("memory", "MB", 50.0)
    alone = page.render(page.Result({"cores": 2, "load": 0}, 1, [], [other]))
    assert "before" not in alone.split("## Ratios")[1]
    text = page.render(page.Result({"cores": 2, "load": 0}, 1, [], [measured, other]))
    assert "| aim | met | before | ours / before |" in text
    assert "| 1 ms | 0.5 ms | 2.00x | <= 3x | yes | 4 ms | 0.25x |" in text
    assert "\n| memory | 50.0 MB |  |  |  |  |  |  |\n" in text


def test_the_texts_of_long_commands_are_as_long_as_they_say(bench: Any) -> None:
    import commands

    assert len(commands.pipeline(1)) == 300
    assert 9_900 < len(commands.here_document(1)) <= 10_000
    assert 9_900 < len(commands.commit_message(1)) <= 10_000
    assert len(set(commands.many_commands(1).splitlines())) == 200


def test_a_revision_that_is_not_there_is_an_error(bench: Any) -> None:
    import builds

    with pytest.raises(builds.BuildError, match="git"):
        builds.older("no-such-revision")
