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
    "npm pkg set 'scripts.x=rm -rf ~' && npm i",
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


ASKED = [
    "BASH_ENV=./x.sh bash -c true",
    "ENV=./x.sh sh -i",
    "PYTHONSTARTUP=x.py python",
    "LD_PRELOAD=./x.so ls",
    "DYLD_INSERT_LIBRARIES=/tmp/x.dylib ls",
    "PERL5OPT=-Mx perl a.pl",
    "RUBYOPT=-r./x ruby a.rb",
    "NODE_OPTIONS='--require ./x.js' node a.js",
    "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar java -jar a.jar",
    "VIMINIT='!rm -rf ~' vim",
    "CC='rm -rf ~' make",
    "RSYNC_RSH='rm -rf ~' rsync a h:b",
    "TAR_OPTIONS='--checkpoint-action=exec=\"rm -rf ~\"' tar cf x y",
]
SILENT = [
    "ENV=production npm start",
    "ENV=test bash run.sh",
    "BASH_ENV=~/.bashrc bash -c true",
    "PYTHONSTARTUP=~/.pythonrc python3",
    "LD_PRELOAD=/usr/lib/libjemalloc.so.2 ./server",
    "LD_PRELOAD=libfaketime.so.1 date",
    "RUBYOPT=-W0 rails s",
    "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
    "NODE_OPTIONS='--require ts-node/register' mocha",
    "JAVA_TOOL_OPTIONS=-Xmx2g mvn test",
    "CC='ccache gcc' make",
    "x='rm -rf ~'; echo done",
]


@parametrize_all("text", ASKED)
def test_code_that_a_variable_loads_is_asked_about(text: str) -> None:
    assert assess_text(text, PLACE)[0].severity == "ask"


@parametrize_all("text", SILENT)
def test_usual_variables_pass(text: str) -> None:
    assert assess_text(text, PLACE) == ()


@parametrize_all("text", QUIET)
def test_a_harmless_value_passes(text: str) -> None:
    assert assess_text(text, PLACE) == ()
