"""Commands in values that a text assigns, and another program runs."""

from hookd.risk.analyze import assess_text
from hookd.risk.model import CallContext
from support.parametrize import parametrize_all

PLACE = CallContext("/home/me/shop", "/home/me/shop", "/home/me")
RUN = [
    "x='rm -rf ~' bash -c '$x'",
    "export x='rm -rf ~'; bash -c '$x'",
    "env x='rm -rf ~' sh -c 'eval \"$x\"'",
    "d=~ bash -c 'rm -rf $d'",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf ~' git x",
    "GIT_CONFIG_PARAMETERS=\"'alias.x=!rm -rf ~'\" git x",
    "npm pkg set scripts.x='rm -rf ~' && npm run x",
]
QUIET = [
    "x='rm -rf ~'; echo \"$x\"",
    "x=build bash -c 'ls $x'",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0='Me Too' git commit -m x",
    "npm pkg set scripts.x='tsc -p .' && npm run x",
]


@parametrize_all("text", RUN)
def test_a_harmful_command_in_a_value_is_denied(text: str) -> None:
    assert assess_text(text, PLACE)[0].severity == "deny"


@parametrize_all("text", QUIET)
def test_a_harmless_value_passes(text: str) -> None:
    assert assess_text(text, PLACE) == ()
