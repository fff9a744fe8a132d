"""Edit the text of a rules file: add, replace or remove one rule. Comments stay as they are.

Only the lines of that rule change. The result is read again and compared: a text in a form that
cannot be edited so is refused, never damaged.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from hookd.core.guard_rules.rule_file import Mistake, parse_yaml
from hookd.core.guard_rules.short_form import shorten


class EditError(Exception):
    """Why a text cannot be edited, for the user."""


def new_file(schema: str) -> str:
    """Return the text of a file without rules; `schema` is where editors find the schema."""
    return (
        f"# yaml-language-server: $schema={schema}\n"
        "# Guard rules of this project. They apply after `hookd trust`.\nrules:\n"
    )


def with_rule(text: str, rule: Mapping[str, Any]) -> str:
    """Return the text with a rule: in place of the one with its name, or as the last one.

    Raise EditError if the text cannot be edited.
    """
    short = shorten(rule)
    rules = _rules(text)
    old = next((one for one in rules if one.get("id", one.get("ruleId")) == short["id"]), None)
    wanted = [short if one is old else one for one in rules] if old else [*rules, short]
    return _checked(_spliced(text, rules, old, short), wanted)


def without_rule(text: str, name: str) -> str | None:
    """Return the text without the rule of this name, None if it has none. Raise EditError."""
    rules = _rules(text)
    old = next((one for one in rules if one.get("id", one.get("ruleId")) == name), None)
    if old is None:
        return None
    left = [one for one in rules if one is not old]
    return _checked(_spliced(text, rules, old, None), left)


def rules_text(rules: Iterable[Mapping[str, Any]]) -> str:
    """Return rules as the items of a YAML list, each as people would write it."""
    return "".join(_item(shorten(rule), 2) for rule in rules)


def _rules(text: str) -> list[dict[str, Any]]:
    try:
        value = parse_yaml(text.encode()).value
    except Mistake as mistake:
        problem = mistake.problem
        raise EditError(
            f"line {problem.line}, column {problem.column}: {problem.sentence}"
        ) from None
    if value is None:
        return []
    rules = value.get("rules") if isinstance(value, dict) else ()
    if rules is None:
        return []
    if not isinstance(rules, list) or not all(isinstance(one, dict) for one in rules):
        raise EditError("`rules` is not a list of rules")
    return rules


def _spliced(
    text: str, rules: list[dict[str, Any]], old: dict[str, Any] | None, new: dict[str, Any] | None
) -> str:
    """Return the text with one item of the list replaced, removed or appended."""
    key, nodes, flow = _nodes(text)
    if key is None:
        return f"{_ended(text)}rules:\n{_item(new, 2)}" if new else text
    if nodes is None or not nodes:
        return _into_empty(text, key, new)
    if flow:
        return _in_flow(text, nodes, rules, old, new)
    lines = text.splitlines(keepends=True)
    indent = _indent(text, nodes[0])
    if old is None:
        end = _last_line(text, nodes[-1]) + 1
        lines[:end] = _ended("".join(lines[:end])).splitlines(keepends=True)
        return "".join((*lines[:end], _item(new, indent), *lines[end:]))
    at = next(index for index, one in enumerate(rules) if one is old)
    first, end = _first_line(text, nodes[at]), _last_line(text, nodes[at]) + 1
    item = _item(new, indent) if new is not None else ""
    if item:
        kept = _comments(text, first, end)
        item = "".join((*(f"{' ' * indent}{one}\n" for one in kept), item))
    return "".join((*lines[:first], item, *lines[end:]))


def _into_empty(text: str, key: yaml.ScalarNode, new: dict[str, Any] | None) -> str:
    """Return the text with the first item below `rules:`, whose value is null or []."""
    if new is None:
        return text
    lines = text.splitlines(keepends=True)
    at = key.end_mark.line
    head, _, rest = lines[at][key.end_mark.column :].partition(":")
    value, mark, comment = rest.partition("#")
    if head.strip() or value.strip() not in ("", "[]", "~", "null"):
        raise EditError(
            "`rules` is written in a form that cannot be edited; add the rule in an editor"
        )
    note = f"  #{comment.rstrip()}" if mark else ""
    lines[at] = f"{lines[at][: key.end_mark.column]}:{note}\n"
    # Comments below the key stay above the first rule.
    end = at + 1
    while end < len(lines) and lines[end].lstrip(" ").startswith("#"):
        end += 1
    lines[:end] = _ended("".join(lines[:end])).splitlines(keepends=True)
    return "".join((*lines[:end], _item(new, 2), *lines[end:]))


def _in_flow(
    text: str,
    nodes: list[yaml.Node],
    rules: list[dict[str, Any]],
    old: dict[str, Any] | None,
    new: dict[str, Any] | None,
) -> str:
    """Return a text whose list is in brackets with one item replaced, removed or appended."""
    given = json.dumps(new, ensure_ascii=False) if new is not None else ""
    if old is None:
        end = nodes[-1].end_mark.index
        return f"{text[:end]}, {given}{text[end:]}"
    at = next(index for index, one in enumerate(rules) if one is old)
    start, end = nodes[at].start_mark.index, nodes[at].end_mark.index
    if new is None:
        rest = text[end:].lstrip()
        end = len(text) - len(rest) + 1 if rest.startswith(",") else end
    return f"{text[:start]}{given}{text[end:]}"


def _nodes(text: str) -> tuple[yaml.ScalarNode | None, list[yaml.Node] | None, bool]:
    """Return the key `rules`, its items, and whether the list is written in brackets."""
    top = yaml.compose(text, Loader=yaml.SafeLoader)
    if top is None:
        return None, None, False
    if not isinstance(top, yaml.MappingNode) or top.flow_style:
        raise EditError("the file is written in braces; add the rule in an editor")
    for key, value in top.value:
        if key.value == "rules":
            if isinstance(value, yaml.SequenceNode):
                return key, value.value, bool(value.flow_style)
            return key, None, False
    return None, None, False


def _comments(text: str, first: int, end: int) -> list[str]:
    """Return the comments in these lines, the end excluded."""
    found, at = [], 0
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        gap, line = text[at : token.start_mark.index], _line(text, at)
        parts = (f".{gap}" if at else gap).splitlines()
        for number, part in enumerate(parts):
            if "#" in part and first <= line + number < end:
                found.append(part[part.index("#") :].rstrip())
        at = max(at, token.end_mark.index)
    return found


def _line(text: str, index: int) -> int:
    """Return the line of a place in a text, from 0, by the line breaks of YAML."""
    return len(f"{text[:index]}.".splitlines()) - 1


def _first_line(text: str, node: yaml.Node) -> int:
    """Return the line of an item's dash."""
    return _line(text, text.rindex("-", 0, node.start_mark.index))


def _indent(text: str, node: yaml.Node) -> int:
    """Return the column of an item's dash."""
    dash = text.rindex("-", 0, node.start_mark.index)
    return len(f"{text[:dash]}.".splitlines()[-1]) - 1


def _last_line(text: str, node: yaml.Node) -> int:
    """Return the last line of a node, without the comments and empty lines that follow it."""
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        end = node.start_mark.index
        end += len(text[end : node.end_mark.index].rstrip())
        return _line(text, end)
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return max(node.start_mark.line, node.end_mark.line)
    last = node.value[-1]
    return _last_line(text, last[1] if isinstance(node, yaml.MappingNode) else last)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and indents lists below their key."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _end_plainly(lines: list[str]) -> bool:
    return all(line == line.rstrip() for line in lines)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    lines = text.rstrip("\n").split("\n")
    # A block that begins with a space or an empty line needs an indentation indicator, which the
    # dumper computes for lists that are not indented; and other line breaks would end a line in it.
    is_block = lines[0] == lines[0].lstrip() != "" and lines == text.rstrip("\n").splitlines()
    style = None if len(lines) == 1 else "|" if is_block and _end_plainly(lines) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def _item(rule: Mapping[str, Any] | None, indent: int) -> str:
    """Return a rule as an item of a list that is indented so."""
    dumped: str = yaml.dump([rule], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=96)
    lines = dumped.splitlines(keepends=True)
    # The dumper indents the list itself by two.
    return "".join(
        f"{' ' * indent}{line[_own_indent(lines) :]}" if line.strip() else line for line in lines
    )


def _own_indent(lines: list[str]) -> int:
    return len(lines[0]) - len(lines[0].lstrip(" "))


def _checked(text: str, wanted: list[dict[str, Any]]) -> str:
    """Return the text if it has these rules. Raise EditError."""
    try:
        same = _rules(text) == wanted
    except EditError:
        same = False
    if not same:
        raise EditError(
            "the file is written in a form that cannot be edited; change it in an editor"
        )
    return text
