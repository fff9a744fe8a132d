"""Writing of files: copies, moves, redirections, archives, edits in place."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.programs.model import Severity
from hookd.risk.data_files import deleted_data, overwritten_data
from hookd.risk.model import CallContext, CommandCall, Risk, RiskRule
from hookd.risk.path_areas import PHRASES, Area, area, area_of, known_paths, means_everything, paths
from hookd.risk.quoting import quoted_word
from hookd.risk.rules.deletion import deletion_risk, is_inserted
from hookd.risk.rules.file_contents import (
    content_risk,
    copied_over,
    emptied_by_script,
    replaced_by_tee,
)
from hookd.shell.argv import Item
from hookd.shell.commands import Redirect
from hookd.shell.quoting import names

_SYSTEM: frozenset[Area] = frozenset({"root", "system"})
_AWAY: frozenset[Area] = frozenset({"home", "above", "outside"})
_NOTES = (".git/info/exclude", ".git/info/sparse-checkout", ".git/COMMIT_EDITMSG", ".git/MERGE_MSG")
_INSTEAD = "Files of the project and of /tmp can be written."
_WITHIN = "Move it within the project; cp leaves it in place."
_DRY = "`--dry-run` lists what would be deleted."
_ALIKE = 2
_NETWORK = ("/dev/tcp/", "/dev/udp/")
_INSTALLED = lazy_compile(r"/(?:site-packages|dist-packages|node_modules)/")
_ACTIVE = lazy_compile(
    r"/s?bin(?:/|$)|^/usr/local/(?:lib|etc|libexec|share)(?:/|$)|^/applications(?:/|$)"
    r"|/library/(?:launch|preferences|keychains|application support)|/autostart(?:/|$)"
    r"|/\.(?:bash|z(?:sh|log|prof|env)|profile|login|logout|csh|tcsh|ksh|inputrc|xinit|xprofile|xsession"
    r"|pam|ssh|gnupg|netrc|pgpass|my\.cnf|git|hg|npm|yarnrc|pypirc|pip|pdbrc|python|cargo|gradle|m2"
    r"|aws|azure|kube|docker|config(?!/jupyter)|local|vim|emacs|nano|tmux|screenrc|vscode|idea|cursor"
    r"|claude|codex|gemini|hookd|mcp|env|direnv|husky|circleci|terraformrc|ansible|curlrc|wgetrc)"
)
"""Paths of programs, and of settings that are read without being named: by shells, git, editors."""

_NAMED_ANEW = lazy_compile(r"/[\w.-]*\w[._-][$`][^/]*$")
"""A path whose last part is completed by an unknown text: `/backups/shop-$(date +%F).sql`."""

_SETTING = lazy_compile(
    r"/etc/(?:nginx|apache2|httpd|caddy|haproxy|traefik|lighttpd|varnish|squid|uwsgi|gunicorn|php"
    r"|mysql|my\.cnf|mariadb|postgresql|redis|mongo\w*|memcached|rabbitmq|elasticsearch|kibana"
    r"|logstash|influxdb|telegraf|fluent\w*|prometheus|grafana|supervisor\w*|celery|jupyter|apt"
    r"|yum\.repos\.d|apk|docker|containers?d?|fail2ban|logrotate\.d|rsyslog\.d|postfix|dovecot"
    r"|samba|vsftpd\w*|bind|dnsmasq\w*|fonts|x11|motd|issue|timezone|localtime|locale\w*)"
    r"(?:/.*|\.[\w.]+)?"
)
"""Settings of single services and of package sources, where a mistake can be corrected."""

_ANYWAY = ">|"
"""Redirection that overwrites a file although the shell protects existing ones."""


def write_risk(item: Item, place: CallContext, verb: str = "writes") -> Risk | None:
    """Return the risk of writing the file that an item names."""
    where = area(item, place)
    why = f"{verb} {quoted_word(item.text)} ({PHRASES[where]})"
    if where == "device":
        return Risk(
            "disk",
            "deny",
            f"overwrites the device {quoted_word(item.text)}",
            _INSTEAD,
            rule="files.write-device",
        )
    if where in _SYSTEM:
        weight: Severity = "ask" if _is_setting(item, place) else "deny"
        return Risk("outside", weight, why, _INSTEAD, certain=item.fixed, rule="files.write-system")
    if where in _AWAY:
        return _outside(item, place, why)
    if where == "repository" and not _is_note(item, place):
        return Risk(
            "history", "ask", why, "Use a git command for it.", rule="files.write-repository"
        )
    return None


def _outside(item: Item, place: CallContext, why: str) -> Risk | None:
    """Return the risk of writing a file outside of the project; a new file replaces nothing.

    What a package manager has installed can be installed again. A program, and settings that other
    programs read, are asked about even if they are new.
    """
    possible = known_paths(item, place)
    if possible and all(_INSTALLED.search(path) for path in possible):
        return None
    risk = Risk("outside", "ask", why, _INSTEAD, certain=item.fixed, rule="files.write-outside")
    if possible and all(_is_new_name(path, place) for path in possible):
        return replace(risk, files=possible, if_present=True)
    if any(_ACTIVE.search(path.lower()) for path in possible or (item.text,)):
        return risk
    if not possible:
        return None if _NAMED_ANEW.search(item.text) else risk
    return replace(risk, files=possible, if_present=True)


def _is_new_name(path: str, place: CallContext) -> bool:
    """Return whether a file in the user's folder of programs hides no program that is known."""
    folder, _, name = path.rpartition("/")
    own = place.home and folder in (f"{place.home}/{each}" for each in _OWN_PROGRAMS)
    return bool(own) and name.lower() not in _KNOWN and name not in ("", ".", "..")


_OWN_PROGRAMS = (".local/bin", ".cargo/bin", "go/bin")
_KNOWN = names(
    "sudo su doas env which bash sh zsh fish dash ls cp mv rm cat grep egrep sed awk find xargs tar"
    " unzip chmod kill ps ssh ssh-add ssh-keygen scp rsync gpg gpg2 openssl git gh glab op vault"
    " pass security curl wget python python3 pip pip3 pipx uv node npm npx yarn pnpm bun deno ruby"
    " perl php java go cargo rustc make cmake gcc cc clang ld docker podman kubectl aws gcloud az"
    " tmux vim vi nano emacs code cursor claude codex gemini hookd"
)
"""Programs that others run by their names alone, and that a new file would hide."""


def _is_setting(item: Item, place: CallContext) -> bool:
    """Return whether an item is a setting of a single service, such as nginx."""
    possible = paths(item, place)
    return bool(possible) and all(_SETTING.fullmatch(path.lower()) for path in possible)


def _is_note(item: Item, place: CallContext) -> bool:
    """Return whether a file in a repository is a note that people write."""
    candidates = paths(item, place)
    return bool(candidates) and all(any(note in path for note in _NOTES) for path in candidates)


def redirect_risks(
    redirects: Iterable[Redirect], place: CallContext, folder_sets: Sequence[tuple[str | None, ...]]
) -> Iterator[Risk]:
    """Yield the risks of the redirections of a text.

    `seen` are the folders that it was in, in order. A relative path counts as outside only if it is
    so in each of them, and as the system's if it is in any.
    """
    folders = _told_apart(
        dict.fromkeys(folder for each in folder_sets[1:] or folder_sets for folder in each), place
    )
    places = [replace(place, cwd=folder) for folder in folders]
    every = tuple(dict.fromkeys(folder for each in folder_sets for folder in each))
    redirects = tuple(redirects)
    for redirect in redirects:
        if lost := content_risk(redirect, places, every):
            yield lost
    for redirect in dict.fromkeys(redirects):
        if not redirect.writes or redirect.path.startswith(_NETWORK):
            continue
        adds = redirect.operator in (">>", "&>>")
        item = Item(redirect.path, 0, redirect.hole)
        risks = [write_risk(item, each) for each in places]
        strong = [danger for danger in risks if danger and danger.severity == "deny"]
        if strong or all(risks):
            risk = strong[0] if strong else risks[0]
            if risk is not None and not (adds and risk.if_present):
                anyway = redirect.operator == _ANYWAY and risk.kind == "outside"
                weight = "deny" if anyway else risk.severity
                yield replace(risk, severity=weight, command=f"{redirect.operator} {redirect.path}")


def _told_apart(folders: Iterable[str | None], place: CallContext) -> tuple[str | None, ...]:
    """Return a few folders that represent all others: those that differ in their area."""
    kinds: dict[Area, list[str | None]] = {}
    for folder in folders:
        alike = kinds.setdefault(area_of(folder, place) if folder else "unknown", [])
        if len(alike) < _ALIKE:
            alike.append(folder)
    return tuple(one for some in kinds.values() for one in some)


def _each(items: Iterable[Item], call: CommandCall, verb: str = "writes") -> Iterator[Risk]:
    for item in items:
        if danger := write_risk(item, call.context, verb):
            yield danger


def _target(call: CommandCall, *valued: str) -> tuple[list[Item], list[Item]]:
    """Return the sources and the target of a copy: the last word, or the value of -t."""
    folder = list(call.values("-t", "--target-directory"))
    skipped = {item.place for item in call.values(*valued)} if valued else set()
    named = {item.place for item in folder}
    items = [item for item in call.items if item.place not in skipped | named]
    return (items, folder) if folder else (items[:-1] or items, items[-1:] if items[1:] else [])


def _copy(call: CommandCall) -> Iterator[Risk]:
    valued = ("-S", "--suffix", *_INSTALL.get(call.program, ()))
    sources, targets = _target(call, *valued)
    folders = sources if call.program in _INSTALL and call.has("-d", "--directory") else ()
    yield from _each((*folders, *_files_in(targets, sources)), call)
    yield from _to_inserted(targets, call)
    if not folders:
        yield from copied_over(sources, targets, call)


def _to_inserted(targets: list[Item], call: CommandCall) -> Iterator[Risk]:
    """Yield that the names of the written files are the input of xargs: `xargs -I{} cp x {}`."""
    if any(item.many and is_inserted(item, call) for item in targets):
        why = "writes files whose names another program prints"
        yield Risk("outside", "ask", why, _INSTEAD, certain=False, rule="files.write-outside")


def _files_in(targets: list[Item], sources: list[Item]) -> list[Item]:
    """Return the files that a copy makes, where the target is a folder by its text: `~/bin/`."""
    if len(targets) != 1 or targets[0].text[-1:] != "/" or any(each.hole for each in sources):
        return targets
    names = [item.text.rstrip("/").rpartition("/")[2] for item in sources]
    return [replace(targets[0], text=f"{targets[0].text}{name}") for name in names]


_INSTALL = {"install": ("-m", "--mode", "-o", "--owner", "-g", "--group")}


def _move(call: CommandCall) -> Iterator[Risk]:
    sources, targets = _target(call, "-S", "--suffix")
    places = [area(item, call.context) for item in sources]
    into = {area(item, call.context) for item in targets}
    for danger in () if into <= _FREE else _each(targets, call):
        told = replace(danger, alternative=_WITHIN) if danger.kind == "outside" else danger
        # What leaves the project is asked about, be its new place empty or not.
        leaves = any(where not in ("scratch", "outside") for where in places)
        yield replace(told, files=(), if_present=False) if leaves else told
    yield from copied_over(sources, targets, call)
    yield from _to_inserted(targets, call)
    lost = "scratch" in into and any(item.text == "/dev/null" for item in targets)
    for item, where in zip(sources, places, strict=True):
        if lost:
            risk = deletion_risk(item, call, "loses", tree=True)
        else:
            risk = _moved_to_scratch(item, where, call) if "scratch" in into else None
            if risk is None and not _stays_outside((item, *targets), where, call.context):
                risk = _moved_away(item, where)
        if risk is not None:
            yield risk


_FREE: frozenset[Area] = frozenset({"project", "inside", "rebuildable", "scratch"})
"""Areas that are written without a question."""


def _moved_to_scratch(item: Item, where: Area, call: CommandCall) -> Risk | None:
    """Return the risk of moving data, or everything, to where files are deleted without asking."""
    if danger := deleted_data(item, call.context, "moves to a temporary folder"):
        return danger
    if where != "project" and not (where == "inside" and means_everything(item.text)):
        return None
    why = f"moves {quoted_word(item.text)} ({PHRASES[where]}) to a temporary folder"
    return Risk("deletes", "ask", why, "Use cp -r, which leaves it in place.")


def _moved_away(item: Item, where: Area) -> Risk | None:
    """Return the risk of moving away what is outside of the project, or a repository."""
    if where in _FREE:
        return None
    why = f"moves {quoted_word(item.text)} ({PHRASES[where]}) away"
    if where in _SYSTEM | {"home", "above"}:
        return Risk("outside", "deny", why, "Use cp, which leaves it in place.")
    if where == "outside":
        return Risk("outside", "ask", why, "Use cp, which leaves it in place.")
    if where == "repository" and item.text.rstrip("/").endswith((".git", ".hg", ".jj")):
        return Risk("history", "ask", why, "Use cp -r, which leaves it in place.")
    return None


def _stays_outside(items: Iterable[Item], where: Area, place: CallContext) -> bool:
    """Return whether a file only gets another name outside of the project; no program is one.

    `where` is the area of the first item.
    """
    if where != "outside":
        return False
    found = [path for item in items for path in paths(item, place)]
    areas = {area_of(path, place) for path in found}
    return areas == {"outside"} and not any(_ACTIVE.search(path.lower()) for path in found)


def _link(call: CommandCall) -> Iterator[Risk]:
    sources, targets = _target(call, "-S", "--suffix")
    yield from _each(targets, call)
    if call.has("-f", "--force"):
        yield from copied_over(sources, targets, call)


_RSYNC_VALUES = (
    *("-e", "--rsh", "--exclude", "--include", "--filter", "-f", "--exclude-from", "--port"),
    *("--bwlimit", "--timeout", "--log-file", "--files-from", "--backup-dir", "--rsync-path"),
)


def _rsync(call: CommandCall) -> Iterator[Risk]:
    skipped = {item.place for item in call.values(*_RSYNC_VALUES)}
    items = [item for item in call.items if item.place not in skipped]
    if len(items) < 2 or call.has("-n", "--dry-run"):
        return
    target = items[-1]
    moves = any(flag.startswith("--remove-source") for flag, _ in call.words.flags)
    for source in items[:-1] if moves else ():
        if danger := deletion_risk(source, call, "copies, then deletes", tree=True):
            yield danger
    deletes = any(flag.startswith("--del") for flag, _ in call.words.flags)
    if ":" in target.text.partition("/")[0]:
        if deletes:
            why = f"deletes files at {quoted_word(target.text)} that are not in the source"
            yield Risk(
                "deletes",
                "ask",
                why,
                _DRY,
                rule="rsync.delete-remote",
            )
        return
    if deletes and (danger := deletion_risk(target, call, "deletes", tree=True)):
        what = f"deletes what the source does not have in {quoted_word(target.text)}"
        where = PHRASES[area(target, call.context)]
        yield replace(danger, reason=f"{what} ({where})", alternative=_DRY)
    yield from _each([target], call)
    yield from copied_over(items[:-1], [target], call)


def _tee(call: CommandCall) -> Iterator[Risk]:
    adds = call.has("-a", "--append")
    yield from (risk for risk in _each(call.items, call) if not (adds and risk.if_present))
    yield from replaced_by_tee(call)


def _edit(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of an edit in place; the script and the values of flags are no files."""
    in_place = [flag for flag, _ in call.words.flags if flag[:2] == "-i" or "--in-place" in flag]
    short = [flag for flag, _ in call.words.flags if flag[:1] == "-" and flag[1:2] != "-"]
    if not (in_place or any("i" in flag.partition("e")[0] for flag in short)):
        return
    scripts = call.values("-e", "--expression", "-f", "--file")
    skipped = {item.place for item in scripts}
    items = [
        item for item in call.items if (item.text or item.unknown) and item.place not in skipped
    ]
    files = items if scripts else items[1:]
    yield from _each(files, call, "edits")
    yield from emptied_by_script(scripts or items[:1], files, call)


def _extract(call: CommandCall) -> Iterator[Risk]:
    first = call.command.words[1] if len(call.command.words) > 1 else ""
    bundled = first if first[:1] != "-" else ""
    letters = bundled + "".join(f for f, _ in call.words.flags if f[:2] != "--")
    if "x" in letters or call.has("--extract", "--get"):
        yield from _each(call.values("-C", "--directory"), call, "unpacks into")
        if not call.values("-C", "--directory"):
            yield from _each([Item(".", 0)], call, "unpacks into")
        if call.has("-P", "--absolute-names"):
            why = "unpacks files to paths that the archive names"
            yield Risk("outside", "ask", why, "Without -P it stays in its folder.")
    elif "c" in letters or call.has("--create"):
        # The old syntax: `tar czf FILE ...`.
        bundled_file = call.items[1:2] if "f" in bundled else ()
        yield from _each((*call.values("-f", "--file"), *bundled_file), call)


def _unzip(call: CommandCall) -> Iterator[Risk]:
    if not call.has("-l", "-t", "-p", "-Z", "-v", "-z"):
        folders = call.values("-d") or [Item(".", 0)]
        yield from _each(folders, call, "unpacks into")
        if call.has("-o") and any(area(item, call.context) == "project" for item in folders):
            why = "overwrites files of the project that have the names of those in the archive"
            yield Risk("deletes", "ask", why, "`-d` unpacks into a new folder, `-n` keeps files.")


_SAVING = {
    "wget": ("-O", "--output-document", "-P", "--directory-prefix"),
    "curl": ("-o", "--output", "--output-dir", "-D", "--dump-header"),
}


def _fetched(call: CommandCall) -> Iterator[Risk]:
    flags = _SAVING["wget" if call.program.startswith("wget") else "curl"]
    for item in call.values(*flags):
        if risk := write_risk(item, call.context) or overwritten_data(item, call.context):
            yield risk


def _scp(call: CommandCall) -> Iterator[Risk]:
    skipped = {item.place for item in call.values("-i", "-P", "-F", "-o", "-c", "-l", "-S", "-J")}
    items = [item for item in call.items if item.place not in skipped]
    if len(items) > 1 and ":" not in items[-1].text:
        yield from _each(items[-1:], call)
        yield from copied_over(items[:-1], items[-1:], call)


def _socat(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that socat writes: those that it creates or empties, and the target of -u."""
    for at, item in enumerate(call.items):
        match = _OPENED.match(item.text)
        path, _, options = item.text[match.end() if match else 0 :].partition(",")
        written = _CREATED.search(f",{options}") or (at and call.has("-u"))
        if match and (written or match[0].lower().startswith("crea")):
            yield from _each([Item(path, item.place, item.hole)], call)


_OPENED = lazy_compile(r"(?:open|file|gopen|creat|create):", re.IGNORECASE)
_CREATED = lazy_compile(r",(?:creat\w*|trunc|append|wronly)\b", re.IGNORECASE)
_CHANGES = ("--add", "--replace-all", "--unset", "--unset-all", "-e", "--edit", "--remove-section")


def _trusts_one_folder(words: list[str]) -> bool:
    """Return whether a setting lets git work in one folder of another owner: usual in CI."""
    at = words.index("safe.directory") + 1 if "safe.directory" in words else 0
    return 0 < at < len(words) and not set(words[at]) & set("*?")


def _git_config(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a change of the user's git settings."""
    words = [item.text for item in call.items]
    shows = words[1:2] in (["get"], ["list"]) or call.has("--get", "--get-all", "-l", "--list")
    sets = (len(words) > 2 or call.has(*_CHANGES)) and not _trusts_one_folder(words)
    if words[:1] == ["config"] and call.has("--global", "--system") and sets and not shows:
        why = "changes the settings of git outside of the project"
        yield Risk(
            "outside",
            "ask",
            why,
            "Use git config --local, which applies to the project.",
            rule="git.config-global",
        )


def _made(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of creating something: only in a system folder."""
    yield from (danger for danger in _each(call.items, call) if danger.severity == "deny")


RULES: dict[str, RiskRule] = {
    **dict.fromkeys(("cp", "gcp", "install", "ginstall"), _copy),
    **dict.fromkeys(("mv", "gmv"), _move),
    **dict.fromkeys(("ln", "gln", "link"), _link),
    "rsync": _rsync,
    **dict.fromkeys(("tee", "gtee", "sponge"), _tee),
    **dict.fromkeys(("sed", "gsed", "perl"), _edit),
    **dict.fromkeys(with_trait("archives"), _extract),
    "unzip": _unzip,
    **dict.fromkeys(("curl", "wget", "wget2", "aria2c"), _fetched),
    "scp": _scp,
    "socat": _socat,
    "git": _git_config,
    **dict.fromkeys(("touch", "mknod"), _made),
}
"""By the program's name."""
