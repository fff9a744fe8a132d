"""A bounded cache for pure functions of a shell text."""

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Concatenate, ParamSpec, TypeVar

from hookd.shell.commands import LIMIT

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
OfText = Callable[Concatenate[str, Rest], Result]

SIZE = 16
"""Results of each function that are kept: the guards need the same few in turn."""


def cached_by_text(work: OfText[Rest, Result]) -> OfText[Rest, Result]:
    """Return the function with its last results kept, by all of its arguments.

    The first argument is the text. A text longer than LIMIT is not kept, since it may be large; it
    is not parsed either.
    """
    kept = lru_cache(maxsize=SIZE)(work)

    def run(text: str, /, *rest: Rest.args, **more: Rest.kwargs) -> Result:
        return (kept if len(text) <= LIMIT else work)(text, *rest, **more)

    update_wrapper(run, work)
    return run
