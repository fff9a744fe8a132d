"""A chain has the commands that all succeeded if its statement did, and no others."""

from hookd.shell.success_chain import chains, succeeded
from support.parametrize import parametrize_all

LAST = [
    ("npm test", ["npm test"]),
    ("cd app && npm test", ["cd app", "npm test"]),
    ("CI=1 npm test", ["CI=1 npm test"]),
    ("npm test > out.log 2>&1", ["npm test > out.log 2>&1"]),
    ("npm test && echo x > a", ["npm test", "echo x > a"]),
    ("npm test || true > a", []),
    ("(cd app && npm test)", ["cd app", "npm test"]),
    ("{ npm run build; npm test; }", ["npm test"]),
    ("npm run build; npm test", ["npm test"]),
    ("npm test || exit 1; git commit", ["npm test", "git commit"]),
    ("npm test || { echo no; exit 1; }\ngit commit", ["npm test", "git commit"]),
    ("set -e\nnpm test\ngit commit", ["set -e", "npm test", "git commit"]),
    ("set -o pipefail; npm test | tee log", ["npm test", "tee log"]),
    ("npm test # all", ["npm test"]),
    ("npm test | tail -3", ["tail -3"]),
    ("npm test; echo done", ["echo done"]),
    ("set -e; npm test && echo ok; git commit", ["set -e", "git commit"]),
    ("set -e; npm test; set +e; x", ["x"]),
    ("npm test || true", []),
    ("npm test &", []),
    ("! npm test", []),
    ("for i in 1 2; do npm test; done", []),
    ("if npm test; then git commit; fi", []),
    ("if (", []),
    ("", []),
]


@parametrize_all(("text", "commands"), LAST)
def test_what_succeeded_if_the_text_did(text: str, commands: list[str]) -> None:
    assert list(succeeded(text)) == commands


def test_each_statement_has_a_chain() -> None:
    assert chains("a && b | c; d && e") == (("a", "c"), ("d", "e"))
