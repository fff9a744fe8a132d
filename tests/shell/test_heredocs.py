"""Heredocs are found as bash finds them, or the reading is refused."""

from hookd.shell.heredocs import without_heredocs
from support.parametrize import parametrize_all


@parametrize_all(
    ("text", "expected"),
    [
        ("cat <<E\nx\nE\nls", ("cat <<E\n \n \nls", "")),
        ("cat <<'E'\nx\nE", ("cat <<'E'\n \n ", "x\nE")),
        ("cat <<E\n\\$x\nE", ("cat <<E\n   \n ", "\\$x\nE")),
        ("cat <<-E\n\tx\n\tE\nls", ("cat <<-E\n  \n  \nls", "")),
        ("cat <<A <<B\n1\nA\n2\nB\nls", ("cat <<A <<B\n \n \n \n \nls", "")),
        ("echo '<<E' \"<<E\" x\\<E; ls", ("echo '<<E' \"<<E\" x\\<E; ls", "")),
        ("# <<E\nls", ("# <<E\nls", "")),
        ("cat <<< x\nls", ("cat <<< x\nls", "")),
        ("cat <<E\nx", None),
        ("cat <<E", None),
        ("eval x <<E\nx\nE", None),
        (". /dev/stdin <<E\nx\nE", None),
    ],
)
def test_heredocs_are_blank_or_nothing_is_known(
    text: str, expected: tuple[str, str] | None
) -> None:
    assert without_heredocs(text) == expected
