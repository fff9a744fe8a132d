"""Expands a shell text into the simple commands that it runs, also nested ones."""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from hookd.lazy_pattern import lazy_compile
from hookd.shell.command_flags import recipe_of
from hookd.shell.env_printers import prints_setup
from hookd.shell.inserted_names import only_reads
from hookd.shell.interpreters import nested_commands
from hookd.shell.kept_commands import KeptCommands
from hookd.shell.literal_passages import MARKS
from hookd.shell.model import CommandRun, Redirect, TextContext
from hookd.shell.outer_variables import only_arguments
from hookd.shell.overwritten_input import EMPTIES, commands_naming
from hookd.shell.parser import UNSURE, Frame, Source, is_escaped_backtick, provides_input, source_of
from hookd.shell.plain_values import is_plain
from hookd.shell.quoting import Misread, ansi_c, backticked, names
from hookd.shell.success_dependencies import reach_of
from hookd.shell.words import ANY_WORDS, Scope, Word, heredoc_text, homes_in, value_of, words_of
from hookd.shell.wrappers import Inner, program_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CLOSING = frozenset({"<&-", ">&-"})
_HARMLESS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "-"})
_NESTING = frozenset(
    {"command_substitution", "process_substitution", "arithmetic_expansion", "subshell"}
    | {"subscript", "comment", "simple_expansion", "expansion"}
)


def stray_words(redirect: "Node") -> list["Node"]:
    """Return the arguments that the parser takes for a part of `redirect`, as in `rm >log -rf x`.

    A redirection has one target; the words after it belong to the command.
    """
    words: list[Node] = []
    if redirect.type == "file_redirect":
        closing = any(child.type in _CLOSING for child in redirect.children)
        words = redirect.children_by_field_name("destination")[0 if closing else 1 :]
    elif redirect.type == "heredoc_redirect":
        words = redirect.children_by_field_name("argument")
        for child in redirect.children_by_field_name("redirect"):
            words += stray_words(child)
    return words


def last_command(node: "Node") -> "Node | None":
    """Return the command that a redirection at the end of `node` belongs to."""
    while node.type != "command":
        if node.type in ("list", "pipeline", "negated_command"):
            node = node.named_children[-1]
        elif node.type == "redirected_statement" and (body := node.child_by_field_name("body")):
            node = body
        else:
            return None
    return node


def writes(redirect: "Node", source: Source) -> bool:
    """Return whether a redirection may write a file."""
    operator = next((child.type for child in redirect.children if not child.is_named), "")
    targets = redirect.children_by_field_name("destination")
    target = source.text(targets[0]) if targets else "-"
    copies = operator == ">&" and target.isdigit()
    return operator[:1] in (">", "&") and not copies and target not in _HARMLESS


def is_alone(frames: Sequence[Frame], source: Source) -> bool:
    """Return whether the text is one simple command: nothing nested, no assignment, no file."""
    children = frames[0].node.children
    if len(children) != 1 or any(frame.node.type in _NESTING for frame in frames):
        return False
    node = children[0]
    if node.type == "redirected_statement":
        node, *redirects = node.children
        if not all(_is_whole_heredoc(part, source) for part in redirects):
            return False
    return node.type == "command" and not any(
        child.type in ("variable_assignment", "file_redirect", "heredoc_redirect")
        for child in node.children
    )


def _is_whole_heredoc(redirect: "Node", source: Source) -> bool:
    # A line that continues after the delimiter has more children than these four.
    whole = redirect.type != "heredoc_redirect" or len(redirect.children) == 4
    return whole and heredoc_text(redirect, source) is not None


_ESCAPING = names("-e -ne -en")
_FLAGS = _ESCAPING | names("-n -E")
_SHELLS_DIFFER = lazy_compile(r"\\(?:c|0\d)")
_WHOLE = lazy_compile(r"(?:[^%]|%%|%s)*")
_PRINT_NOTHING = frozenset({":", "true", "cat /dev/null", "echo -n"})
"""Commands whose output is empty."""


def input_of(node: "Node", source: Source, scope: Scope) -> Word:
    """Return the input that a here-text, a file or the command before a pipe provides."""
    if node.type == "herestring_redirect":
        return value_of(node.named_children[-1], source, scope)
    if node.type == "command":
        text = None if scope.redefined else printed_text(_plain_words(node, source, scope))
    else:
        is_text = node.type in ("heredoc_redirect", "file_redirect")
        text = heredoc_text(node, source) if is_text else None
    if text is not None:
        return Word(text)
    bodies = [part for part in node.children if part.type == "heredoc_body"]
    return ANY_WORDS._replace(text="".join(source.text(part) for part in bodies))


def written_text(redirect: "Node", source: Source, scope: Scope) -> str | None:
    """Return the text that a command writes to the file of a redirection; None if unknown."""
    owner = redirect.parent
    if owner is not None and owner.type == "heredoc_redirect":
        owner = owner.parent
    body = owner.child_by_field_name("body") if owner is not None else None
    if owner is None or scope.redefined:
        return None
    if body is None:
        return "" if owner.type == "redirected_statement" else None
    if body.type != "command":
        return None
    words = _plain_words(body, source, scope)
    if " ".join(word.text for word in words) in _PRINT_NOTHING:
        return ""
    if [word.text for word in words] not in (["cat"], ["cat", "-"]):
        return printed_text(words)
    inputs = [
        input_of(part, source, scope) for part in owner.children if provides_input(part, source)
    ]
    return inputs[0].text if len(inputs) == 1 and inputs[0].known else None


def _plain_words(node: "Node", source: Source, scope: Scope) -> tuple[Word, ...]:
    """Return the words of a command; none if it has other parts, or unknown words."""
    try:
        parts = [
            part.children[0] if part.type == "command_name" else part for part in node.children
        ]
        if any(part.type.endswith(("redirect", "assignment", "subshell")) for part in parts):
            return ()
        return tuple(word for part in parts for word in words_of(part, source, scope))
    except Misread:
        return ()


def printed_text(words: Sequence[Word]) -> str | None:
    """Return what `echo` or `printf` prints; None if it is neither, or if shells differ."""
    if not words or not all(word.known for word in words):
        return None
    program, *rest = (word.text for word in words)
    if program == "echo":
        return _echoed(rest)
    return _formatted(rest) if program == "printf" and rest else None


def _echoed(rest: list[str]) -> str | None:
    escapes = False
    while rest and rest[0] in _FLAGS:
        escapes |= rest.pop(0) in _ESCAPING
    text = " ".join(rest)
    if "\\" not in text:
        return f"{text}\n"
    return f"{ansi_c(text)}\n" if escapes and not _SHELLS_DIFFER.search(text) else None


def _formatted(rest: list[str]) -> str | None:
    form, *values = rest
    if form.startswith("-") or not _WHOLE.fullmatch(form) or _SHELLS_DIFFER.search(form):
        return None
    pieces = [ansi_c(piece).replace("%%", "%") for piece in re.split(r"(?<!%)%s", form)]
    if len(pieces) == 1:
        return pieces[0]
    if len(pieces) > 2:
        return None
    return "".join(f"{pieces[0]}{value}{pieces[1]}" for value in values or [""])


_DEPTH = 8
_TEXT = 4
"""Signs charged for each text, regardless of its content."""

_COMMANDS, _ROOM = 200, 262_144
_WORDS, _INNER = 16_000, 64_000  # of commands, and of those that they may run
_TELLING = frozenset(b"$`(")
"""Signs without which a text has no variables and no functions."""

_UNKNOWN = "it runs a text that is not known in advance"
_TRICK = lazy_compile(r"\w\[[^\]]*(?:\$\(|`)")
_RUN_LATER = lazy_compile(
    r"PS[0124]|PROMPT_COMMAND|\w*EDITOR|\w*PAGER|\w*_COMMAND|\w*ASKPASS|VISUAL|BROWSER|GIT_SSH"
    r"|GIT_EXTERNAL_DIFF|LESSOPEN|LESSCLOSE|BASH_FUNC_.*"
)

_SEPARATED = lazy_compile(r"[;&|\n`(]")
_RUNNING = ("GIT_", "PROMPT_", "FZF_", "SUDO_", "RSYNC_", "SVN_", "HG_", "LESS")
"""Beginnings of variables whose command a program certainly runs."""

_QUERYING = ("aws", "az", "oci")
_NO_CONTEXT = TextContext()


class Reading:
    """The commands that one text, and the texts in it, run; `alone`: it is one simple command."""

    def __init__(self, text: str) -> None:
        self.runs: list[CommandRun] = []
        self.redirects: list[Redirect] = []
        self.reasons: list[str] = []
        self.kept = KeptCommands()
        self.plain = True
        self._text, self.homes = text, homes_in(text)
        self._marks, self._room, self._words, self._inner = MARKS, _ROOM, _WORDS, _INNER
        self._seen: set[tuple[str, tuple[Word, ...], bool]] = set()
        self.alone = self.read(text, Scope(self.homes, fresh=True), 0)

    def read(self, text: str, scope: Scope, depth: int, context: TextContext = _NO_CONTEXT) -> bool:
        """Read one text; return whether it is one simple command."""
        try:
            if depth > _DEPTH or len(text) > self._room:
                raise Misread
            source = source_of(text, self._marks)
        except Misread:
            self.reasons.append("it is too complex")
            return False
        self._marks -= source.cost + _TEXT
        self._room -= len(text)
        alone = _Walk(self, source, scope, depth, context).run()
        self.reasons += source.flaws
        return alone

    def script(self, inner: Inner, outer: Scope, depth: int, context: TextContext) -> None:
        """Read the text that the joined words form."""
        words, key = inner.words, inner.kind == "here"
        text = " ".join(word.text for word in words)
        if key and not outer.redefined and prints_setup(text):
            return
        reasons, redirects, plain = len(self.reasons), len(self.redirects), self.plain
        runs = len(self.runs)
        open_words = (word for word in words if not word.known and word.spread != "home")
        unknown = [word for word in open_words if not (key and is_plain(word, self._text))]
        if key or (text, context.stdin, inner.guess) not in self._seen:
            self._seen.add((text, context.stdin, inner.guess))
            self.read(text, Scope(self.homes, outer, fresh=not key), depth + 1, context)
        ran = self.runs[runs:]
        sure = not unknown or only_reads(unknown, ran, self.redirects[redirects:])
        if not sure and (key or not only_arguments(unknown, ran, self._text)):
            self.reasons.insert(reasons, _UNKNOWN)
        if inner.guess:
            # No shell reads it, as far as is known: it may be a filter, or a program.
            del self.reasons[reasons:], self.redirects[redirects:]
            self.plain = plain

    @property
    def spent(self) -> bool:
        """Return whether the limit of words is reached."""
        return self._words < 0

    def keeps(self, inner: Inner) -> bool:
        """Return whether one more nested command is within the limit."""
        self._inner -= len(inner.words)
        if self._inner < 0:
            self.reasons.append("it contains too many commands")
        return self._inner >= 0

    def afford(self, words: tuple[Word, ...]) -> bool:
        """Charge one more command of these words; return whether it is within the limit."""
        self._words -= len(words)
        if self._words < 0 or len(self.runs) >= _COMMANDS:
            self.reasons.append("it contains too many commands")
            return False
        return True


class _Walk:
    """The traversal of one parsed text."""

    def __init__(
        self, reader: Reading, source: Source, scope: Scope, depth: int, context: TextContext
    ) -> None:
        self._reader, self._source, self._scope, self._depth = reader, source, scope, depth
        self._given = context
        self._strays: dict[int, list[Node]] = {}
        self._fed: tuple[Frame, tuple[Word, ...]] | None = None

    def run(self) -> bool:
        """Collect everything; return whether the text is one simple command."""
        frames = self._source.frames
        if not _TELLING.isdisjoint(self._source.data):
            self._scope.survey(frames, self._source)
        for frame in frames:
            self._scope.deferred = frame.deferred
            try:
                self._visit(frame)
            except Misread:
                self._source.flaws.append(UNSURE)
        return is_alone(frames, self._source)

    def _visit(self, frame: Frame) -> None:
        node = frame.node
        match node.type:
            case "command":
                self._command(frame)
            case "test_command" | "declaration_command" | "unset_command":
                self._run(frame, self._flat(node), assigned=False)
            case "variable_assignment":
                self._assignment(frame)
            case "redirected_statement" | "function_definition":
                self._stray(node)
            case "file_redirect":
                self._reader.plain &= not writes(node, self._source)
                self._redirect(node)
            case "expansion" if node.children[-2].type == "P":
                self._reader.reasons.append("an expansion in it may run a command")
            case "command_substitution" if is_escaped_backtick(node, self._source.data):
                text = self._source.text(node).lstrip(" \t\n$")[1:-1]
                inner = backticked(text, quoted=frame.parent == "string")
                scope = Scope(self._reader.homes, self._scope, fresh=False)
                context = self._given._replace(stdin=self._inputs(frame))
                self._reader.read(inner, scope, self._depth + 1, context)

    def _redirect(self, node: "Node") -> None:
        """Record which file is opened, and how."""
        targets = node.children_by_field_name("destination")
        if targets and self._source.here(node) is None:
            signs = (self._source.text(child) for child in node.children if not child.is_named)
            operator = next(signs, "")
            target = value_of(targets[0], self._source, self._scope)
            text = written_text(node, self._source, self._scope)
            naming: tuple[tuple[str, ...], ...] = ()
            if operator in EMPTIES:
                naming = commands_naming(node, target.text, self._source, self._scope)
            self._reader.redirects.append(Redirect(operator, target, text, naming))

    def _stray(self, node: "Node") -> None:
        """Return words after a redirection to the command that they belong to."""
        self._reader.plain &= node.type != "function_definition"
        strays = [word for part in node.children for word in stray_words(part)]
        if strays:
            target = last_command(node)
            if target is None:
                raise Misread
            self._strays[target.id] = strays + self._strays.get(target.id, [])

    def _command(self, frame: Frame) -> None:
        words: list[Word] = []
        assigned = False
        for child in frame.node.children:
            kind = child.type
            assigned |= kind == "variable_assignment"
            if kind == "command_name":
                words += self._words(child.children[0])
            elif kind.endswith("redirect"):
                words += [word for stray in stray_words(child) for word in self._words(stray)]
            elif kind not in ("variable_assignment", "subshell"):
                words += self._words(child)
        for stray in self._strays.get(frame.node.id, ()):
            words += self._words(stray)
        self._run(frame, tuple(words), assigned=assigned)
        for inner in self._reader.kept.run_by(words):
            self._text(inner, frame, self._given.wrappers)

    def _words(self, node: "Node") -> list[Word]:
        if self._reader.spent:
            return []
        try:
            return words_of(node, self._source, self._scope)
        except Misread:
            self._source.flaws.append(UNSURE)
            return [ANY_WORDS._replace(text=self._source.text(node))]

    def _flat(self, node: "Node") -> tuple[Word, ...]:
        """Return the words of `[ ... ]`, `export ...` or `unset ...`; none of `[[ ... ]]`."""
        if node.children[0].type == "[[":
            self._suspect(self._source.text(node))
            return ()
        words: list[Word] = []
        todo = node.children[::-1]
        while todo:
            part = todo.pop()
            if part.type.endswith("_expression") and part.type != "brace_expression":
                todo += part.children[::-1]
            elif part.type == "variable_assignment":
                words.append(self._assigned(part))
            elif not part.is_named:
                words.append(Word(self._source.text(part)))
            else:
                words += self._words(part)
        return tuple(words)

    def _assigned(self, node: "Node") -> Word:
        name, operator, *values = node.children
        before = self._source.text(name) + operator.type
        value = value_of(values[0], self._source, self._scope) if values else Word("")
        return value._replace(text=before + value.text, head=before + value.head)

    def _assignment(self, frame: Frame) -> None:
        self._reader.plain = False
        parts = frame.node.children
        name, value = self._source.text(parts[0]), Word("")
        if len(parts) > 2:
            value = value_of(parts[2], self._source, self._scope)
        self._suspect(value.text)
        self._reader.kept.keep(name, value)
        appended = parts[1].type == "+="
        if not appended or name == "PROMPT_COMMAND" or _SEPARATED.search(value.text):
            self._later(name, value, frame)  # else it only adds arguments
        if frame.unconditional or frame.parent == "declaration_command":
            known_value = value.text if value.known else None
            self._scope.assign(name, known_value, append=appended)

    def _run(self, frame: Frame, words: tuple[Word, ...], *, assigned: bool) -> None:
        """Record a command, and the commands that it runs."""
        todo = [(Inner("command", words, assigned), self._given.wrappers)] if words else []
        visited: set[tuple[Word, ...]] = set()
        while todo:
            inner, through = todo.pop()
            if inner.kind != "command":
                self._text(inner, frame, through)
            elif inner.words not in visited and self._reader.afford(inner.words):
                visited.add(inner.words)
                straight = frame.unconditional and not self._depth and not through
                is_own = not self._depth and not through and frame.node.type == "command"
                reach = reach_of(frame.node, self._source, inner.words[0].text) if is_own else None
                inputs = self._inputs(frame)
                run = CommandRun(inner.words, inner.assigned, straight, through, inputs, reach)
                self._note(run, frame)
                below = [
                    more._replace(assigned=more.assigned or inner.assigned)
                    for more in takewhile(self._reader.keeps, nested_commands(inner.words))
                ]
                if below:
                    outer = (*through, program_of(inner.words))
                    todo += [(more, outer) for more in below[::-1]]
        if words and frame.node.type == "command":
            self._scope.after(words)

    def _note(self, run: CommandRun, frame: Frame) -> None:
        self._reader.runs.append(run)
        queried = self._queried(run)
        for word in run.words:
            if word.known and word not in queried:
                self._suspect(word.text)
            if "=" in word.text:
                name, _, value = word.text.partition("=")
                self._later(name, word._replace(text=value), frame)

    def _queried(self, run: CommandRun) -> tuple[Word, ...]:
        """Return the queries of a call to a cloud, which no shell evaluates: ``[?a==`b`]``."""
        if run.words[0].text not in _QUERYING or self._scope.redefined:
            return ()
        return tuple(word for before, word in pairwise(run.words) if before.text == "--query")

    def _suspect(self, text: str) -> None:
        if "[" in text and _TRICK.search(text):
            self._reader.reasons.append("an arithmetic expression in it may run a command")

    def _later(self, name: str, value: Word, frame: Frame) -> None:
        """Read the command that a variable of this name makes another program run."""
        if _RUN_LATER.fullmatch(name):
            # A script may keep any text in a variable of such a name, for itself.
            guess = name.endswith("_COMMAND") and not name.startswith(_RUNNING)
            self._text(Inner("here", (value,), guess=guess), frame, self._given.wrappers)

    def _text(self, inner: Inner, frame: Frame, through: tuple[str, ...]) -> None:
        if inner.kind == "blind":
            sets_up = any(prints_setup(word.text) for word in inner.words)
            if self._scope.redefined or not sets_up:
                self._reader.reasons.append(_UNKNOWN)
        elif inner.kind in ("input", "recipe"):
            for word in self._inputs(frame):
                recipe = inner.kind == "recipe" and word.known
                part = Inner("input", (Word(recipe_of(word.text)) if recipe else word,))
                self._reader.script(part, self._scope, self._depth, TextContext(wrappers=through))
        else:
            context = TextContext(self._inputs(frame), through)
            self._reader.script(inner, self._scope, self._depth, context)

    def _inputs(self, frame: Frame) -> tuple[Word, ...]:
        """Return the texts that a command may read from standard input, as far as known."""
        if self._fed is None or self._fed[0] is not frame:
            self._fed = (frame, self._looked_up(frame))
        return self._fed[1]

    def _looked_up(self, frame: Frame) -> tuple[Word, ...]:
        redirects = (part for part in frame.node.children if provides_input(part, self._source))
        # The caller of a function determines what the function reads.
        stdin = self._given.stdin
        outer = (*stdin, ANY_WORDS) if frame.deferred else stdin
        inputs = (input_of(node, self._source, self._scope) for node in (*frame.stdin, *redirects))
        return (*outer, *inputs)
