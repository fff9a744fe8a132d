"""What a text moves to a temporary folder, and deletes there, is judged by where it was."""

from support.parametrize import parametrize_all
from support.risks import found, said

STAGED = {
    "ask deletes": [
        *[
            "mv src /tmp/x && rm -rf /tmp/x",
            "mv src /tmp/; rm -rf /tmp/src",
            "mv src build; rm -rf build",
        ],
        *["mv src build/ && rm -rf build/*", "mv src node_modules/x && rm -rf node_modules"],
        *["git mv src dist && rm -rf dist", "mv -t /tmp/x src lib && rm -r /tmp/x"],
        *["mv src /tmp/x && find /tmp/x -delete", "d=/tmp/x; mv src $d; rm -rf $d"],
        *["mkdir /tmp/o && mv * /tmp/o/ && rm -rf /tmp/o", "mv src /tmp/x && cd /tmp && rm -rf x"],
        *[
            "rsync -a --remove-source-files src/ /tmp/x/ && rm -rf /tmp/x",
            "mv app.db /tmp/ && rm /tmp/app.db",
        ],
        *["mv src /tmp/x && sh -c 'rm -rf /tmp/x'", "mv * /tmp/", "mv . /tmp/x"],
        *["rsync --remove-source-files -a src/ /tmp/x/", "mv app.db a && rm a", "mv .env x; rm x"],
    ],
    "deny outside": ["mv ~/work /tmp/w; rm -rf /tmp/w"],
    "ask history": ["mv .git /tmp/g; rm -rf /tmp/g"],
    "": [
        *[
            "mv dist /tmp/x && rm -rf /tmp/x",
            "mv /tmp/a /tmp/b && rm -rf /tmp/b",
            "mv a.log /tmp; rm /tmp/a.log",
        ],
        *[
            "mv notes.txt /tmp/ && rm -rf /tmp/other",
            "mv src lib",
            "mv src /tmp/x",
            "cp -r src /tmp/x && rm -rf /tmp/x",
        ],
        *[
            "rm -rf /tmp/x && mv src /tmp/x",
            "git mv a b && rm -rf dist",
            "mv build/app app && rm -rf build",
        ],
    ],
}


@parametrize_all(
    ("text", "expected"), [(text, expected) for expected, some in STAGED.items() for text in some]
)
def test_what_is_moved_away_and_deleted_is_known(text: str, expected: str) -> None:
    assert said(text) == expected


def test_the_reason_names_what_was_moved() -> None:
    (risk,) = found("mv src /tmp/x && rm -rf /tmp/x")
    assert (risk.command, risk.rule) == ("rm -rf /tmp/x", "files.delete-moved")
    assert risk.reason == "deletes src (a part of the project), which is moved there before"
