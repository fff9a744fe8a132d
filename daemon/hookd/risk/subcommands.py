"""Rules by subcommand and flags: `docker volume rm`, `git reset --hard`."""

import re
from collections.abc import Collection, Iterator
from fnmatch import translate
from functools import cache, lru_cache

from hookd.programs.catalogue import PROGRAMS, RULE_KINDS, flags_of
from hookd.programs.model import RiskKind, Rule, Severity, Table
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.shell.argv import Item
from hookd.shell.quoting import names

_VERBS = 64
"""Size of each rule's cache, by the first word."""

_ANYTHING = translate("*")

_VALUED = flags_of(lambda program: program.values)
_VALUE_FLAGS = names(
    "-o --output --format --query --filter --project --profile --region --zone --name --namespace"
    " --context --account --subscription --resource-group --app --org --organization --team --token"
    " --api-key --access-token --url --endpoint --config --log-level --sort --sort-by --limit"
    " --fields --columns --template --description --message --title --body --label --search"
    " --comment --reason --vault --workspace --cluster --domain"
)
"""Flags that are followed by a value, whatever the program is."""

_SWITCHES = names(
    "-y -f -q -v --yes --force --quiet --silent --verbose --debug --json --no-input --no-color"
    " --confirm --no-prompt --non-interactive --auto-approve --all --recursive --wait --no-wait"
)
"""Flags without a value, whatever the program is."""

DELETING_VERBS = names(
    "delete destroy purge terminate wipe erase obliterate deprovision decommission drop revoke"
)
"""Verbs that delete, whatever word precedes them."""

OTHER_VERBS = names(
    "add create new get list ls show describe info view set update edit put apply run exec start"
    " stop restart open find search help login logout init install upgrade send say ask write echo"
    " print read cat lint fmt validate diff eval explain todo tell note import sync clone"
)
"""Verbs that do not delete; the words after them are their values."""


def rule_of(table: Table) -> RiskRule:
    """Return the rule that yields the risk of the first matching rule of a table."""

    @lru_cache(maxsize=_VERBS)
    def behind(verb: str) -> tuple[Rule, ...]:
        """Return the rules that may match if this is the first word."""
        return tuple(row for row in table.rules if _may_begin(row.words, verb))

    def rule(call: CommandCall) -> Iterator[Risk]:
        items = without_values(call)
        sure = items and not items[0].unknown and not items[0].optional
        candidates = behind(items[0].text) if sure else table.rules
        if candidates and not has_exact_flag(call, table.harmless):
            for row in candidates:
                if _fits(call, items, row):
                    yield call_risk(call, row.id, row.severity, row.reason, row.alternative)
                    return

    return rule


def rules_of(*kinds: RiskKind) -> dict[str, RiskRule]:
    """Return the rule of each program that has a table of one of these kinds."""
    made: dict[int, RiskRule] = {}
    found: dict[str, RiskRule] = {}
    for program in PROGRAMS:
        for table in program.tables:
            if table.kind in kinds:
                rule = made.setdefault(id(table), rule_of(table))
                found.update(dict.fromkeys(program.names.split(), rule))
    return found


def call_risk(call: CommandCall, rule: str, weight: Severity, why: str, instead: str = "") -> Risk:
    """Return a risk of this call, found by a rule of the catalogue."""
    return Risk(RULE_KINDS[rule], weight, why, instead, command=call.text, rule=rule)


def joined_rule(*rules: RiskRule) -> RiskRule:
    """Return one rule that yields the risks of all of these."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        for rule_ in rules:
            yield from rule_(call)

    return rule


def table_of(names: str, rule: RiskRule) -> dict[str, RiskRule]:
    """Return a table of programs that share one rule."""
    return dict.fromkeys(names.split(), rule)


def has_flag(call: CommandCall, *flags: str) -> bool:
    """Return whether one of the flags, or an abbreviation of it, is in the text."""
    # An unknown word could be any flag; to ask about each would be useless.
    return any(call.words.certain.may_have(flag) for flag in flags)


def has_exact_flag(call: CommandCall, flags: Collection[str]) -> bool:
    """Return whether a flag is in the text exactly: a command is harmless only by an exact flag."""
    places = [place for flag, place in call.words.flags if flag in flags]
    if not places:
        return False
    denied = {item.place - 1 for item in call.items if item.text in ("false", "no", "none")}
    return any(place not in denied for place in places)


def without_values(call: CommandCall) -> tuple[Item, ...]:
    """Return the items without the values of flags: `vm list` of `az -o delete vm list`.

    A word after a flag that is not known stays. It is a value if it is a verb of deletion and
    another word is the verb: `list` above.
    """
    values = [item for item in call.items if item.optional and item.hole is None]
    if not values:
        return call.items
    words, own = call.command.words, _VALUED.get(call.program, ())
    dropped = set()
    for item in values:
        flag = words[item.place - 1]
        known = flag in _VALUE_FLAGS or flag in own
        deletes = item.text in DELETING_VERBS and flag not in _SWITCHES
        if known or (deletes and _has_other_verb(call)):
            dropped.add(item.place)
    if not dropped:
        return call.items
    return tuple(item for item in call.items if item.place not in dropped)


def _has_other_verb(call: CommandCall) -> bool:
    return any(item.text in OTHER_VERBS for item in call.items if not item.optional)


def begins(items: tuple[Item, ...], words: str) -> bool:
    """Return whether the items begin with these words; values of flags may be skipped."""
    starts = {0}
    for glob in _globs(words):
        if glob is None:
            starts = set(range(min(starts, default=0), len(items)))
        else:
            starts = set(_matched(items, starts, glob))
        if not starts:
            break
    return bool(starts)


@cache
def _globs(words: str) -> tuple[re.Pattern[str] | None, ...]:
    """Return the patterns of the words of a row; None means any number of words."""
    return tuple(None if word == "**" else _either(word.split("|")) for word in words.split())


def _may_begin(words: str, verb: str) -> bool:
    first = next(iter(_globs(words)), None)
    return first is None or first.match(verb) is not None


def _either(globs: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, globs)))


def _matched(items: tuple[Item, ...], starts: set[int], glob: re.Pattern[str]) -> Iterator[int]:
    """Yield the places after the items that match and may be at one of the starts."""
    active, last = False, max(starts)
    for at, item in enumerate(items):
        active = active or at in starts
        if active and (_any(glob) if item.hole is not None else glob.match(item.text)):
            yield at + 1
        active = active and (item.optional or item.many)
        if not active and at >= last:
            return


def _any(glob: re.Pattern[str]) -> bool:
    """Return whether the pattern matches every text."""
    return glob.pattern == _ANYTHING


def _fits(call: CommandCall, items: tuple[Item, ...], row: Rule) -> bool:
    return (
        begins(items, row.words)
        and (not row.flags or has_flag(call, *row.flags.split()))
        and not has_exact_flag(call, row.unless.split())
    )
