"""A pattern of `lazy_pattern` behaves like one of `re`, and is compiled on first use."""

import gc
import pkgutil
import re
from importlib import import_module

import pytest

import hookd
from hookd import lazy_pattern
from hookd.lazy_pattern import lazy_compile


@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.VERBOSE | re.MULTILINE])
@pytest.mark.parametrize("source", [r"(?P<word>[a-c]+) (\d)?", r"^\W", b"b+"])
def test_methods_and_attributes_are_those_of_a_compiled_pattern(
    source: str | bytes, flags: int
) -> None:
    compiled, lazy = re.compile(source, flags), lazy_compile(source, flags)  # type: ignore[arg-type]
    text = "abc 1\n-ABC" if isinstance(source, str) else b"abc 1\n-ABC"
    for name in ("search", "match", "fullmatch"):
        results = (getattr(one, name)(text, 1, 5) for one in (compiled, lazy))
        ours, theirs = (found and (found.span(), found.groups()) for found in results)
        assert ours == theirs
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.split(text) == compiled.split(text)
    assert lazy.sub(text[:0], text) == compiled.sub(text[:0], text)
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(lazy, name) == getattr(compiled, name)
    with pytest.raises(AttributeError):
        _ = lazy.unknown  # type: ignore[attr-defined]


def test_a_pattern_is_compiled_once_and_on_first_use() -> None:
    lazy = lazy_compile("(")
    with pytest.raises(re.error, match="missing"):
        lazy.search("")
    lazy = lazy_compile("a")
    assert lazy.pattern == "a"
    assert "_compiled" not in vars(lazy)
    assert lazy.search is lazy.search


def test_each_pattern_of_hookd_is_valid() -> None:
    """Without this, an invalid one would only fail at the event that first needs it."""
    for module in pkgutil.walk_packages(hookd.__path__, "hookd."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    kind = lazy_pattern.LazyPattern  # type: ignore[attr-defined]
    found = [one for one in gc.get_objects() if isinstance(one, kind) and one.pattern != "("]
    assert len(found) > 400
    for one in found:
        re.compile(one.pattern, one._flags)
