"""Words and variables of a shell text: quotes removed, unknown parts marked."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.shell.env_printers import prints_setup
from hookd.shell.parser import EXPANSIONS, Frame, Source, blanks_before
from hookd.shell.quoting import Misread, ansi_c, double_quoted, names

if TYPE_CHECKING:
    from tree_sitter import Node

Spread = Literal["", "home", "glob", "split"]
"""What an unknown word may become: one word, one path, one or more names, any number of words."""


Mode = Literal["quoted", "plain", "value", "hole", "holes", "home"]


class Word(NamedTuple):
    """One word as the program receives it; `head` and `tail` are certain around an unknown part."""

    text: str
    known: bool = True
    head: str = ""
    tail: str = ""
    spread: Spread = ""


@dataclass(frozen=True)
class UnknownText:
    """A word that the text does not determine.

    `at` is its place; after the last word it means that any words may follow.
    `head` and `tail` are the known text around the unknown part, `spread` says what it may become.
    """

    at: int
    head: str = ""
    tail: str = ""
    spread: Spread = ""

    @property
    def any(self) -> bool:
        """Whether it may be any number of any words."""
        return self.spread == "split"


class Piece(NamedTuple):
    """A part of one word: its text, and which expansions still apply to it."""

    text: str
    mode: Mode


ANY_WORDS = Word("", known=False, spread="split")

_FIELDS = 64  # maximum of words from one value; repeated, more would take too long

_MAX_WORD_CHARS = 65_536
"""Maximum characters per word; no text that is read is longer, so a longer one was composed."""

_BRACES = 64
_DEPTH = 16
_ESCAPED = lazy_compile(
    r"\\(.)|(\$(?:[A-Za-z_]\w*|\d))|[ \t\n;|&()<>`'\"\\]|\$(?=[\w({@*#?!$-])", re.DOTALL
)
_GLOB = lazy_compile(r"[*?].*[*?\]]|[*?]|\[.*[*?\]]", re.DOTALL)
_AS_IT_STANDS = lazy_compile(r"[A-Za-z0-9_./:=,@%+-]+")
_MARK = lazy_compile(r"([{},])")
_LISTS = lazy_compile(r"\$@|\$\{!|\$\{[^}]*@")
_TILDE = lazy_compile(r"~[\w.+-]*(?=/|$)")
_BLANKS = lazy_compile(r"[ \t\n]+")
_SINGLE = names(
    "raw_string ansi_c_string arithmetic_expansion process_substitution simple_expansion expansion"
)
_OPEN = names("value hole holes home")
_QUOTED = names("string raw_string")
_NUMBERS = frozenset("?#$!")


def words_of(node: "Node", source: Source, scope: "Scope") -> list[Word]:
    """Return what one word of a command expands to: none, one or several words."""
    if node.type == "word":
        text = source.text(node)
        if _AS_IT_STANDS.fullmatch(text):
            return [Word(text)]
    return [word for row in _brace_rows(_pieces(node, source, scope)) for word in _split(row)]


def value_of(node: "Node", source: Source, scope: "Scope") -> Word:
    """Return the one word that an assignment or a here-string makes of `node`: nothing splits."""
    return _word(
        [
            piece if piece.mode in ("quoted", "home") else _unsplit(piece)
            for piece in _tilde(_pieces(node, source, scope))
        ]
    )


def _unsplit(piece: Piece) -> Piece:
    return Piece(piece.text, "hole" if piece.mode in ("hole", "holes") else "quoted")


def _pieces(node: "Node", source: Source, scope: "Scope") -> list[Piece]:
    kind, text = node.type, source.text(node)
    if kind in EXPANSIONS:
        text = text.lstrip(" \t\n")  # in a string it may contain the blanks before it
    if kind == "concatenation":
        if any(a.type == "$" and b.type in _QUOTED for a, b in pairwise(node.children)):
            raise Misread  # $"..." is for bash to translate, and for zsh no sign at all
        return [piece for child in node.children for piece in _pieces(child, source, scope)]
    if kind == "string":
        return _string(node, source, scope)
    if kind in _SINGLE:
        return [_single(kind, text, scope)]
    if kind == "command_substitution":
        output = scope.output(node, source)
        return [Piece(text, "holes") if output is None else Piece(output, "value")]
    if text == "$$":
        return [Piece(text, "hole")]
    return [Piece(text, "holes")] if node.child_count else _bare(text, scope)


def _single(kind: str, text: str, scope: "Scope") -> Piece:
    match kind:
        case "raw_string":
            return Piece(text[1:-1], "quoted")
        case "ansi_c_string":
            return Piece(ansi_c(text[2:-1]), "quoted")
        case "arithmetic_expansion":
            return Piece(text, "hole")
        case "process_substitution":
            return Piece(text, "home")
        case _:
            return _variable(text, scope)


def _bare(text: str, scope: "Scope") -> list[Piece]:
    pieces, at = [], 0
    for match in _ESCAPED.finditer(text):
        pieces.append(Piece(text[at : match.start()], "plain"))
        if match[2] is not None:
            pieces.append(_variable(match[2], scope))  # the parser has not shown it as one
        elif match[1] is None:
            raise Misread
        elif match[1] != "\n":
            pieces.append(Piece(match[1], "quoted"))
        at = match.end()
    pieces.append(Piece(text[at:], "plain"))
    return pieces


def _string(node: "Node", source: Source, scope: "Scope") -> list[Piece]:
    """Return the pieces between two double quotes: text that is no expansion is literal."""
    if node.child_count < 2 or node.children[-1].type != '"':
        raise Misread
    pieces, at = [Piece("", "quoted")], node.start_byte + 1
    for child in node.children:
        if child.type.endswith(("expansion", "substitution")):
            start = child.start_byte + blanks_before(child, source.data)
            pieces.append(Piece(double_quoted(source.between(at, start)), "quoted"))
            pieces += map(_within_quotes, _pieces(child, source, scope))
            at = child.end_byte
    pieces.append(Piece(double_quoted(source.between(at, node.end_byte - 1)), "quoted"))
    return pieces


def _within_quotes(piece: Piece) -> Piece:
    # "$@" and its like are the expansions that make several words, or none, between double quotes.
    if piece.mode == "holes" and not _LISTS.match(piece.text):
        return piece._replace(mode="hole")
    return piece._replace(mode="quoted") if piece.mode == "value" else piece


def _variable(text: str, scope: "Scope") -> Piece:
    name = text[2:-1] if text.startswith("${") else text[1:]
    value = scope.value(name)
    if value is not None:
        return Piece(value, "value")
    if scope.is_home(name):
        return Piece(text, "home")
    return Piece(text, "hole" if name in _NUMBERS else "holes")


def _tilde(pieces: list[Piece]) -> list[Piece]:
    match = _TILDE.match(pieces[0].text) if pieces and pieces[0].mode == "plain" else None
    rest = pieces[0].text[match.end() :] if match else ""
    # A name that continues in quotes is none, and the `~` is literal.
    if match is None or not (rest or len(pieces) == 1 or pieces[1].text[:1] == "/"):
        return pieces
    mode: Mode = "home" if match[0] == "~" else "hole"
    return [Piece(match[0], mode), Piece(rest, "plain"), *pieces[1:]]


def _brace_rows(pieces: list[Piece]) -> list[list[Piece]]:
    if not any(piece.mode == "plain" and "{" in piece.text for piece in pieces):
        return [pieces]
    if any(a.mode in _OPEN and b.text[:1] == "{" for a, b in pairwise(pieces)):
        # Braces come before variables: $x{a,b} is $xa $xb.
        return [[Piece("".join(piece.text for piece in pieces), "holes")]]
    items = [
        Piece(part, "plain") if piece.mode == "plain" else piece
        for piece in pieces
        for part in (_MARK.split(piece.text) if piece.mode == "plain" else [piece.text])
        if part or piece.mode != "plain"
    ]
    try:
        return _alternatives(items, 0)
    except OverflowError:
        return [[Piece("".join(piece.text for piece in pieces), "holes")]]


def _alternatives(items: list[Piece], depth: int) -> list[list[Piece]]:
    for at, item in enumerate(items):
        if item == ("{", "plain") and (options := _options(items, at)):
            close = at + sum(len(option) + 1 for option in options)
            if depth > _DEPTH:
                raise OverflowError
            heads = [row for option in options for row in _option(option, depth, len(options))]
            tails = _alternatives(items[close + 1 :], depth + 1)
            if len(heads) * len(tails) > _BRACES:
                raise OverflowError
            return [[*items[:at], *head, *tail] for head in heads for tail in tails]
    return [items]


def _option(option: list[Piece], depth: int, count: int) -> list[list[Piece]]:
    if count > 1:
        return _alternatives(option, depth + 1)
    # One option is a range such as {1..5}: its values are not worth knowing.
    return [[Piece("{" + "".join(piece.text for piece in option) + "}", "holes")]]


def _options(items: list[Piece], start: int) -> list[list[Piece]]:
    """Return the parts between commas of the brace at `start`; none if it is a literal brace.

    OverflowError if a comma after the closing brace makes bash's reading unclear.
    """
    options: list[list[Piece]] = [[]]
    depth = 0
    for item in items[start + 1 :]:
        mark = item.text if item.mode == "plain" else ""
        if mark == "}" and depth == 0:
            ranged = any(part.mode == "plain" and ".." in part.text for part in options[0])
            if len(options) == 1 and Piece(",", "plain") in items[start:]:
                raise OverflowError
            return options if len(options) > 1 or ranged else []
        depth += (mark == "{") - (mark == "}")
        if mark == "," and depth == 0:
            options.append([])
        else:
            options[-1].append(item)
    return []


def _split(pieces: list[Piece]) -> list[Word]:
    """Return the fields of one word once known values are split at blanks."""
    done: list[Word] = []
    field: list[Piece] = []
    for piece in _tilde(pieces):
        if piece.mode != "value":
            field += [piece] if piece.text or piece.mode == "quoted" else []
            continue
        runs = _BLANKS.split(piece.text)
        if len(runs) > _FIELDS:
            return [ANY_WORDS]
        for number, run in enumerate(runs):
            if number and field:
                done.append(_word(field))
                field = []
            field += [Piece(run, "plain")] if run else []
    return [*done, _word(field)] if field else done


def _word(pieces: list[Piece]) -> Word:
    text = "".join(piece.text for piece in pieces)
    if len(text) > _MAX_WORD_CHARS:
        return ANY_WORDS._replace(text=text[:_MAX_WORD_CHARS])
    holes = _holes(pieces)
    if not holes:
        return Word(text)
    (first, _, mode), (_, last, _) = holes[0], holes[-1]
    modes = {hole[2] for hole in holes}
    spread: Spread = "split" if "holes" in modes else "glob" if "plain" in modes else ""
    head = text[:first] + ("/" if mode == "home" else "")
    return Word(text, False, head, text[last:], "home" if modes == {"home"} else spread)


def _holes(pieces: list[Piece]) -> list[tuple[int, int, str]]:
    """Return start, end and mode of the unknown parts in the joined text of `pieces`."""
    holes, at = [], 0
    for mode, run in groupby(pieces, lambda piece: piece.mode):
        text = "".join(piece.text for piece in run)
        if mode in ("hole", "holes", "home"):
            holes.append((at, at + len(text), mode))
        elif mode == "plain" and (match := _GLOB.search(text)):
            holes.append((at + match.start(), at + match.end(), mode))
        at += len(text)
    return holes


_MOVING = lazy_compile(
    r"_|UID|EUID|PPID|PWD|OLDPWD|SHLVL|SECONDS|LINENO|S?RANDOM|GROUPS|FUNCNAME|DIRSTACK|HISTCMD"
    r"|OPT\w+|PIPESTATUS|SHELLOPTS|BASH\w*|EPOCH\w+|COMP_?\w+|\W|\d+"
)
_PLAIN = lazy_compile(rb"[\w./-]+")
_ARITHMETIC = frozenset(
    {"binary_expression", "unary_expression", "postfix_expression", "ternary_expression"}
    | {"c_style_for_statement", "arithmetic_expansion", "parenthesized_expression"}
)

_PREFIXES = with_trait("prefix")
_CHANGERS = with_trait("prefix", "sets-variables", "sets-names")
_QUIET_CHANGERS = with_trait("sets-variables")
"""Commands that change variables, and no meaning of a name."""

_MAX_VALUE_CHARS = 4_096
"""Characters of a value; a longer one is unknown, since doubling it would not end."""

_FLAGGED = {"printf": "-v", "wait": "-p", "print": "-v"}


class Scope:
    """The variables of one shell text, as far as it has been traversed."""

    def __init__(self, homes: frozenset[str], outer: "Scope | None" = None, *, fresh: bool) -> None:
        self.deferred = False
        self._homes = homes
        self._values: dict[str, str] = {}
        self._loose: set[str] = set()
        self._frozen = self._replaced = self.redefined = False
        if outer is not None:
            self._replaced, self.redefined = outer._replaced, outer.redefined
            if not (fresh or outer.deferred or outer._frozen):
                self._values = outer._values.copy()
                self._loose = outer._loose.copy()

    def survey(self, frames: Iterable[Frame], source: Source) -> None:
        """Record in advance the assignments that may run never, later, or repeatedly."""
        for frame in frames:
            node, kind = frame.node, frame.node.type
            if kind == "function_definition":
                self._replaced = self.redefined = True
            elif kind == "variable_assignment":
                self._note_assignment(frame, source)
            elif kind in ("declaration_command", "unset_command"):
                self._frozen |= not _is_plain_export(frame)
            elif kind == "command" and not frame.unconditional:
                self._frozen |= _may_change(node.child_by_field_name("name"))
            else:
                self._loose |= _written(node, kind)

    def _note_assignment(self, frame: Frame, source: Source) -> None:
        target = frame.node.child_by_field_name("name")
        name = "" if target is None else source.text(target).partition("[")[0]
        self._frozen |= name == "IFS"
        self._replaced |= name == "PATH"
        owned = frame.parent == "declaration_command" or frame.unconditional
        if not owned or target is None or target.type != "variable_name":
            self._loose.add(name)

    def value(self, name: str) -> str | None:
        """Return the value of a variable, or None if the text does not determine it."""
        if self.deferred or self._frozen or name in self._loose:
            return None
        if name == "IFS":
            return " \t\n"
        return self._values.get(name)

    def assign(self, name: str, value: str | None, *, append: bool) -> None:
        """Record an assignment at this point of the text; None: its value is unknown."""
        old = self._values.pop(name, None)
        if value is None or (append and old is None) or _MOVING.fullmatch(name):
            return
        result = (old or "") + value if append else value
        if len(result) <= _MAX_VALUE_CHARS:
            self._values[name] = result

    def is_home(self, name: str) -> bool:
        """Return whether a variable certainly contains the path of a folder."""
        return name in self._homes

    def output(self, node: "Node", source: Source) -> str | None:
        """Return what `$(cat <<'END' ...)` yields, the usual way to write a text of several lines.

        None for every other substitution.
        """
        inner = node.named_children
        if self._replaced or len(inner) != 1:
            return None
        parts = inner[0].children
        if len(parts) != 2 or source.text(parts[0]) != "cat":
            return None
        text = heredoc_text(parts[1], source)
        return None if text is None else text.rstrip("\n")

    def after(self, words: "Sequence[Word]") -> None:
        """Record that a command has run: after some, no value or program is certain any more."""
        if _changes(words):
            self._frozen = self._replaced = True
            self.redefined |= not _sets_up(words)


def _sets_up(words: "Sequence[Word]") -> bool:
    """Return whether a command changes the shell only in ways that are known to be harmless."""
    is_known = bool(words) and words[0].known
    if not is_known or words[0].text not in _QUIET_CHANGERS:
        return (
            is_known
            and words[0].text == "eval"
            and prints_setup(" ".join(w.text for w in words[1:]))
        )
    return True


def _changes(words: "Sequence[Word]") -> bool:
    if not words or not words[0].known:
        return True
    program, rest = words[0].text, words[1:]
    if program in _FLAGGED:
        return any(not word.known or word.text.startswith(_FLAGGED[program]) for word in rest)
    if program in _PREFIXES:
        return any(not word.known or word.text in _CHANGERS for word in rest)
    return program in _CHANGERS


def heredoc_text(node: "Node", source: Source) -> str | None:
    """Return the text of a here-document without expansions; None if it has some, or is odd."""
    parts = {child.type: child for child in node.children}
    if node.type != "heredoc_redirect":
        return source.here(node)
    if not {"heredoc_start", "heredoc_body", "heredoc_end"} <= parts.keys():
        return None
    start, body, end = (parts[f"heredoc_{name}"] for name in ("start", "body", "end"))
    if any(part.type != "heredoc_content" for part in body.children):
        return None
    # The lines verbatim: the tree leaves out blanks at their beginning.
    lines = source.between(start.end_byte, end.end_byte).split("\n")[1:-1]
    text = "".join(f"{line}\n" for line in lines)
    if "<<-" in parts:
        text = re.sub(r"(?m)^\t+", "", text)
    if not set(source.text(start)) & set("'\"\\"):
        if "$" in text or "`" in text:
            return None
        text = re.sub(r"\\(\\|\n)", lambda match: match[1].strip("\n"), text)
    return text


def homes_in(text: str) -> frozenset[str]:
    """Return the variables that contain a folder's path, unless `text` does more than read them."""
    return frozenset(
        name
        for name in ("HOME", "PWD")
        if text.count(name) == text.count(f"${name}") + text.count(f"${{{name}}}")
    )


def _is_plain_export(frame: Frame) -> bool:
    keyword, *rest = frame.node.children
    return (
        frame.unconditional
        and keyword.type == "export"
        and all(child.type in ("variable_assignment", "variable_name") for child in rest)
    )


def _may_change(name: "Node | None") -> bool:
    if name is None:
        return False
    text = name.text or b""
    return _PLAIN.fullmatch(text) is None or text.decode() in _CHANGERS


def _written(node: "Node", kind: str) -> set[str]:
    """Return the variables that a loop, an expansion or an arithmetic expression may write."""
    if kind == "for_statement":
        names = [node.child_by_field_name("variable")]
    elif kind == "expansion" and any("=" in child.type for child in node.children):
        names = [child for child in node.children if child.type == "variable_name"]
    elif kind in _ARITHMETIC or (kind == "compound_statement" and node.children[0].type == "(("):
        names = [child for child in node.children if child.type in ("variable_name", "word")]
    else:
        names = []
    return {name.text.decode() for name in names if name is not None and name.text is not None}
