"""Home of the programs that send files: whatever else they do, a secret goes to somebody else."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.secrets.paths import Secret, may_name, named, secret
from hookd.risk.subcommands import joined
from hookd.shell.argv import Item
from hookd.shell.quoting import names

ASK_USER = "The user can look into it and say what is needed."

REMOTE = re.compile(r"(?:[\w.@%+\[\]-]+:(?!//)|[a-z0-9+.-]+://)", re.IGNORECASE)
_ATTACHED = re.compile(r"[@<]|file://|FILE:|OPEN:|EXEC:", re.IGNORECASE)
_FILES = names("-T --upload-file -K --config --post-file --body-file")
_GLUED_FILE = re.compile(r"--(?:post|body|upload)-file=(.+)", re.DOTALL)

SENDERS = names(
    "curl wget http https xh httpie nc ncat netcat socat telnet ssh mail mailx mutt sendmail swaks"
    " ftp lftp tftp sftp s3cmd rclone openssl websocat croc"
)
"""Programs that may send their input to somebody else."""


def sent(call: CommandCall, found: Secret) -> Risk:
    """Return the danger of giving a secret to somebody else."""
    why = f"sends {found.said}, {found.what}, to somebody else"
    return Risk("secrets", "deny", why, ASK_USER, command=call.text)


def _posts(call: CommandCall) -> Iterator[Risk]:
    """A request's body, forms and uploads; what only authenticates it is no content."""
    for before, word in pairwise(("", *call.command.words[1:])):
        text = word
        if before in _FILES and call.program in ("curl", "wget"):
            spelled: tuple[str, ...] = (text,)
        elif before in ("-b", "--cookie", "-c", "-o", "--output"):
            continue
        else:
            spelled = tuple(_ATTACHED.split(text)[1:]) + tuple(_GLUED_FILE.findall(text))
            spelled += (text[2:],) if text.startswith("-T") else ()
        if found := next(filter(None, (_attached(one, call) for one in spelled[:64])), None):
            yield sent(call, found)
            return


def _attached(text: str, call: CommandCall) -> Secret | None:
    path = text.partition(";")[0].partition(",")[0].strip("\"'")
    return may_name(path, call.context) or secret(path, call.context)


_UPLOADS = {
    "aws": ("s3 cp", "s3 mv", "s3 sync", "s3api put-object"),
    "gsutil": ("cp", "mv", "rsync"),
    "gcloud": ("storage cp", "storage mv", "compute scp"),
    "rclone": ("copy", "copyto", "move", "moveto", "sync"),
    "az": ("storage blob upload", "storage file upload"),
    "gh": ("gist create", "release upload", "release create"),
    "s3cmd": ("put", "sync"),
    "mc": ("cp", "mirror"),
    "glab": ("snippet create",),
    "wormhole": ("send",),
    "croc": ("send",),
    "wrangler": ("r2 object put",),
    "ipfs": ("add",),
}


def _uploads(call: CommandCall) -> Iterator[Risk]:
    if any(call.starts(*verbs.split()) for verbs in _UPLOADS.get(call.program, ())):
        items = tuple(item for item in call.items if not REMOTE.match(item.text))
        downloads = len(items) < len(call.items) and items and items[-1] is call.items[-1]
        if (found := _secret_of(call, items)) and not downloads:
            yield sent(call, found)


def _mails(call: CommandCall) -> Iterator[Risk]:
    """What is sent by name: among the words, or in what a program is told to do."""
    found = _secret_of(call, call.items)
    scripts = (*call.command.stdin, *(item.text for item in call.items if " " in item.text))
    for word in [word for text in scripts for word in text.split()[:64]] if not found else ():
        found = found or secret(word, call.context)
    if found:
        yield sent(call, found)


def _relayed(call: CommandCall) -> Iterator[Risk]:
    """A file that socat opens is the beginning of one of its addresses."""
    for item in call.items:
        if found := secret(item.text.partition(",")[0], call.context):
            yield sent(call, found)
            return


def _told(call: CommandCall) -> Iterator[Risk]:
    """A file whose text becomes an issue, a comment or a request; gh keeps secrets as such."""
    if call.verb in ("secret", "variable", "auth", "ssh-key", "gpg-key"):
        return
    texts = (part for item in call.items for part in _ATTACHED.split(item.text))
    found = next(filter(None, (_attached(text, call) for text in texts if " " not in text)), None)
    if found:
        yield sent(call, found)


def _secret_of(call: CommandCall, items: tuple[Item, ...]) -> Secret | None:
    return next(filter(None, (named(item, call.context) for item in items)), None)


_TOLD = {"gh": joined(_uploads, _told), "glab": joined(_uploads, _told)}

SENDS: Mapping[str, RiskRule] = {
    **dict.fromkeys(names("curl wget http https xh websocat"), _posts),
    **dict.fromkeys(_UPLOADS, _uploads),
    **_TOLD,
    "socat": joined(_posts, _relayed),
    **dict.fromkeys(names("mail mailx mutt swaks ftp lftp sftp tftp nc ncat telnet"), _mails),
}
"""By program: the secrets that it sends."""
