"""Settings of git that make a later push, or a garbage collection, lose commits."""

from support.parametrize import parametrize_all
from support.risks import said

ROWS = {
    "ask force-push": [
        "git config remote.origin.push '+refs/heads/*:refs/heads/*' && git push",
        *["git config remote.origin.mirror true", "git remote add --mirror=push m x; git push m"],
    ],
    "ask history": ["git -c gc.pruneExpire=now gc", "git config gc.pruneExpire now; git gc"],
    "": [
        *["git config remote.origin.push HEAD", "git config --get remote.origin.mirror"],
        *["git remote add origin x", "git push origin $(git branch --show-current)", "git gc"],
    ],
}


@parametrize_all(("text", "expected"), [(text, said) for said in ROWS for text in ROWS[said]])
def test_a_setting_that_loses_commits_is_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected
