"""A value of the environment is an argument in the text of another shell, and no command."""

from hookd.shell.commands import read
from support.parametrize import parametrize_all

CERTAIN = [
    *['bash -c "make $T"', 'ssh host "cd $D && ls"', "ssh host cd $D", 'sh -c "a ${B:-c} $D/e"'],
    *['docker exec web sh -c "echo $A"', "kubectl exec p -- sh -c \"psql $U -c 'select 1'\""],
    *['timeout 5 bash -c "until nc -z $H $P; do sleep 1; done"', 'su - a -c "createdb $D"'],
]
UNCERTAIN = [
    *['bash -c "$C"', 'bash -c "$C a"', 'bash -c "a && $C"', 'D=$(a); ssh host "cd $D"'],
    *['read D; ssh host "cd $D"', 'printf -v D a; sh -c "a $D"', 'sh -c "a $(b)"', 'sh -c "a `b`"'],
    *['sh -c "a $1"', 'sh -c "a $@"', 'sh -c "eval $C"', 'sh -c "echo $C | sh"', 'eval "a $C"'],
    *['bash -c "sudo $X"', 'ssh host "env $X"', 'bash -c "xargs $X"'],
    *['sh -c "a ${C:-;b}"', 'sh -c "a ${C@P}"', 'xargs -I{} sh -c "rm $X {}"', 'trap "a $C" EXIT'],
]


@parametrize_all("text", CERTAIN)
def test_a_variable_that_the_text_only_reads_is_an_argument(text: str) -> None:
    assert read(text).unreadable is None


@parametrize_all("text", UNCERTAIN)
def test_a_text_that_the_call_itself_computes_is_not_known(text: str) -> None:
    assert read(text).unreadable


def test_the_commands_of_such_a_text_are_judged() -> None:
    assert ("rm", "-rf", "$X") in [one.words for one in read('ssh host "rm -rf $X"').commands]
