"""Keys of repositories: the same for all spellings of a remote, none for a local one."""

import pytest

from hookd.core.fleet.repositories import normalised, remote_url, repository_key

SAME = [
    "https://github.com/acme/shop",
    "https://github.com/acme/shop.git",
    "https://github.com/Acme/Shop/",
    "https://user:secret@github.com/acme/shop.git",
    "git@github.com:acme/shop.git",
    "github.com:acme/shop",
    "ssh://git@github.com:22/acme/shop.git",
    "git://github.com//acme//shop",
]


@pytest.mark.parametrize("url", SAME)
def test_spellings_of_one_remote_have_one_key(url: str) -> None:
    assert normalised(url) == "github.com/acme/shop"
    assert repository_key(url) == repository_key(SAME[0])


@pytest.mark.parametrize(
    "url", ["/srv/git/shop.git", "../shop", "file:///srv/shop.git", "", "http://localhost/a", "C:"]
)
def test_a_remote_on_this_machine_has_no_key(url: str) -> None:
    assert repository_key(url) is None


def test_other_repositories_have_other_keys() -> None:
    urls = [
        "https://github.com/acme/shop",
        "https://github.com/acme/shop2",
        "https://gitlab.com/acme/shop",
    ]
    assert len({repository_key(url) for url in urls}) == 3


@pytest.mark.parametrize(
    ("config", "url"),
    [
        ('[remote "origin"]\n\turl = git@a:b/c\n', "git@a:b/c"),
        ('[remote "up"]\n url = x:1\n[remote "origin"]\n url = x:2\n', "x:2"),
        ('[remote "up"]\n url = x:1\n[branch "main"]\n url = no\n', "x:1"),
        ("[core]\n bare = false\n", None),
        ('[remote "origin"]\n fetch = +refs\n', None),
        ("", None),
    ],
)
def test_the_remote_of_a_git_config(config: str, url: str | None) -> None:
    assert remote_url(config) == url
