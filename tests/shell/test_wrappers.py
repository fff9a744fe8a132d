"""The value of a flag is no command, be it known or not."""

from hookd.shell.commands import read
from support.parametrize import parametrize_all


def words(text: str) -> list[str]:
    """Return the commands of a text without the first, each with its words joined by a bar."""
    return ["|".join(command.words) for command in read(text).commands[1:]]


@parametrize_all(
    ("text", "inner"),
    [
        ("xargs -P $N -n$(nproc) rm x", ["rm|x"]),
        ("xargs -P $N -I{} echo {}", ["echo|{}"]),
        ('xargs -P "$N" gzip', ["gzip"]),
        ("sudo -u $USER rm x", ["rm|x"]),
        ("sudo A=$B rm x", ["rm|x"]),
        ("env -u $X A=$B C=$(d) rm x", ["rm|x", "d"]),
        ("env --chdir=$D rm x", ["rm|x"]),
        ("timeout $T rm x", ["rm|x"]),
        ("timeout -k $A $B rm x", ["rm|x"]),
        ("nice -n $N rm x", ["rm|x"]),
        ("ssh -i $KEY host uptime", ["uptime"]),
        ("ssh -p $PORT -o A=$B $HOST uptime", ["uptime"]),
        ("git -C $DIR status", ["git|status"]),
        ("socat - UNIX-CONNECT:/tmp/x", []),
        ("socat TCP:h:1 'EXEC:rm x,pty'", ["rm|x"]),
        ("tmux send-keys -t x 'rm x' Enter", ["rm x|Enter", "Enter", "rm|x"]),
    ],
)
def test_the_value_of_a_flag_is_no_command(text: str, inner: list[str]) -> None:
    found = words(text)
    assert [one for one in inner if one not in found] == []
    assert read(text).unreadable is None


@parametrize_all(
    "text", ["sudo $FLAGS rm x", "xargs ${flags[@]} rm x", 'env "$@" rm x', "ssh $OPTS host 'rm x'"]
)
def test_a_list_of_flags_may_end_before_any_word(text: str) -> None:
    assert any(one.endswith("rm|x") for one in words(text))
