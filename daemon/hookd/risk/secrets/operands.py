"""Home of which words of a program are the files that it is given."""

import re
from collections.abc import Mapping

from hookd.risk.model import CommandCall
from hookd.shell.argv import Item
from hookd.shell.quoting import names

_VALUED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(names("head tail ghead gtail"), names("-n -c --lines --bytes")),
    **dict.fromkeys(names("cut gcut"), names("-d -f -c -b --delimiter --fields")),
    **dict.fromkeys(names("sort gsort"), names("-k -t -o -S -T --key --output")),
    **dict.fromkeys(names("tar gtar bsdtar"), names("-f -X -C --file --exclude --directory")),
    **dict.fromkeys(
        names("grep egrep fgrep zgrep ggrep pcregrep"),
        names(
            "-e -f -A -B -C -m -D -d --regexp --file --include --exclude --exclude-dir --context"
            " --max-count --after-context --before-context --label"
        ),
    ),
    **dict.fromkeys(
        names("rg ripgrep ag ack ugrep"),
        names(
            "-e -f -A -B -C -m -g -t -T -r --regexp --file --glob --iglob --type --type-not"
            " --replace --context --max-count --ignore --ignore-dir --include --exclude"
        ),
    ),
    **dict.fromkeys(names("sed gsed"), names("-e -f -l --expression --file")),
    **dict.fromkeys(names("awk gawk mawk nawk"), names("-F -v -f --file --assign -e -i")),
    **dict.fromkeys(names("jq gojq jaq yq dasel"), names("-f --from-file --indent -o -p")),
    **dict.fromkeys(names("perl ruby"), names("-e -E -I -r -C")),
    **dict.fromkeys(names("zip 7z 7za"), names("-x -i")),
    **dict.fromkeys(names("install ginstall"), names("-m -o -g --mode --owner --group")),
    **dict.fromkeys(names("rsync"), names("-e -f --rsh --exclude --include --filter --files-from")),
    **dict.fromkeys(names("scp"), names("-i -P -F -J -c -l -o -S")),
    **dict.fromkeys(names("base64 base32 basenc fold fmt"), names("-w")),
    **dict.fromkeys(names("xxd"), names("-l -s -c -g -o")),
    **dict.fromkeys(names("od hexdump hd"), names("-N -j -n -s -A -t -e")),
}
_EVALUATES = re.compile(r"-[nplaswi0-9]*[eE]")
_PROGRAM_IN_FLAG = names("--regexp --expression --file --from-file")


def operands(call: CommandCall) -> tuple[Item, ...]:
    """Return the words that are neither flags nor values of flags."""
    valued = _VALUED.get(call.program, frozenset())
    values = {
        place + 1
        for flag, place in call.words.flags
        if flag in valued or (not flag.startswith("--") and f"-{flag[-1]}" in valued)
    }
    return tuple(item for item in call.items if item.place not in values)


def searched(call: CommandCall) -> tuple[Item, ...]:
    """Return the files of a program that a pattern, or a program of its own, stands before.

    Unless a flag brings it.
    """
    given = any(flag in _PROGRAM_IN_FLAG or _brings(call, flag) for flag, _ in call.words.flags)
    return operands(call)[0 if given else 1 :]


def _brings(call: CommandCall, flag: str) -> bool:
    if call.program in ("perl", "ruby"):
        return _EVALUATES.match(flag) is not None
    return flag[:2] != "--" and flag[-1] in "ef"
