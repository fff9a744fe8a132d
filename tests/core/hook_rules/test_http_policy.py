"""A URL is read as every server would read it, and matched as a whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.http_policy import parse_url, url_allowed
from support.parametrize import parametrize_all

READ = [
    ("http://Example.com", "http://example.com/"),
    ("HTTPS://example.com:443/a?b=c#d", "https://example.com/a?b=c"),
    ("http://example.com:8080", "http://example.com:8080/"),
    ("http://[::1]:80/x", "http://[::1]/x"),
    ("http://h/?q=../..", "http://h/?q=../.."),
]


@parametrize_all(("url", "whole"), READ)
def test_a_url_has_one_form(url: str, whole: str) -> None:
    assert parse_url(url).url == whole


REFUSED = [
    ("", "neither http nor https"),
    ("example.com/x", "neither http nor https"),
    ("file:///etc/passwd", "neither http nor https"),
    ("ftp://example.com/", "neither http nor https"),
    ("http://", "names no host"),
    ("http:///x", "names no host"),
    ("http://[fe80::1%25eth0]/", "names no host"),
    ("http://a%2eb/", "names no host"),
    ("http://example.com:x/", "cannot be read"),
    ("http://example.com:70000/", "cannot be read"),
    ("http://[::1/", "cannot be read"),
    ("http://user:hunter2@example.com/", "holds credentials"),
    ("http://hunter2@example.com/", "holds credentials"),
    ("http://@example.com/", "holds credentials"),
    ("http://allowed.com\\@evil.com/hunter2", "characters that a URL cannot hold"),
    ("http://exa\tmple.com/", "characters that a URL cannot hold"),
    ("http://example.com/a b", "characters that a URL cannot hold"),
    ("http://example.com/\r\nX: y", "characters that a URL cannot hold"),
    ("http://ex\u00e4mple.com/", "characters that a URL cannot hold"),
    ("http://example.com/hooks/../admin", "holds `.` or `..`"),
    ("http://example.com/hooks/%2e%2E/admin", "holds `.` or `..`"),
    ("http://example.com/hooks%2f..%2fadmin", "holds `.` or `..`"),
    ("http://example.com/./x", "holds `.` or `..`"),
]


@parametrize_all(("url", "said"), REFUSED)
def test_a_url_that_can_be_read_in_two_ways_is_refused(url: str, said: str) -> None:
    with pytest.raises(ValueError, match="the URL") as caught:
        parse_url(url)
    assert said in str(caught.value)
    assert "hunter2" not in str(caught.value)


ALLOWED = [
    ("https://hooks.example.com/*", "https://hooks.example.com/a/b?c=d", True),
    ("https://hooks.example.com/*", "https://HOOKS.example.com:443/", True),
    ("https://hooks.example.com:443/*", "https://hooks.example.com/x", True),
    ("https://hooks.example.com/*", "http://hooks.example.com/a", False),
    ("https://hooks.example.com/*", "https://hooks.example.com:8443/a", False),
    ("https://hooks.example.com/*", "https://hooks.example.com.evil.org/", False),
    ("https://hooks.example.com/*", "https://evil.org/https://hooks.example.com/", False),
    ("https://*.example.com/*", "https://a.b.example.com/x", True),
    ("https://*.example.com/*", "https://evil.org/.example.com/x", False),
    ("https://*.example.com/*", "https://evil.org/?.example.com/x", False),
    ("https://*.example.com/*", "https://example.com/x", False),
    ("https://example.com", "https://example.com/", True),
    ("https://example.com", "https://example.com/x", False),
    ("https://example.com/a.b", "https://example.com/axb", False),
    ("*://127.0.0.1:*/*", "http://127.0.0.1:8080/x", True),
    ("*://127.0.0.1:*/*", "http://127.0.0.1.evil.org:1/x", False),
    ("http://[::1]:*/*", "http://[::1]:9/x", True),
    ("https://*a*b*.example.com/*/x/*.json", "https://aab.b.example.com/y/x/z/x/q.json", True),
    ("https://*a*b*.example.com/*/x/*.json", "https://ba.example.com/y/x/q.json", False),
    ("https://h/" + "*a" * 50, "https://h/" + "a" * 5_000 + "b", False),
    ("*", "https://anything.example/x?y", True),
    ("example.com/*", "https://example.com/x", False),
]


@parametrize_all(("glob", "url", "matches"), ALLOWED, ids=lambda told: str(told)[:50])
def test_a_glob_matches_the_whole_url_and_no_other_host(glob: str, url: str, matches: bool) -> None:
    assert url_allowed(parse_url(url), [glob]) is matches
    assert not url_allowed(parse_url(url), [])


@given(st.text(max_size=40) | st.from_regex(r"https?://[^\s]{0,20}"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        target = parse_url(text)
    except ValueError:
        return
    assert parse_url(target.url) == target


@given(st.text(max_size=30), st.text(alphabet="*/:.a", max_size=30))
def test_a_glob_of_another_host_never_matches(path: str, glob: str) -> None:
    target = parse_url("https://evil.example/safe.example/")
    assert not url_allowed(
        target, [f"https://safe.example/{path}", f"https://safe.example{glob}b.c"]
    )
