"""`re.compile` on first use, to start fast. Standard library only.

Compiling the patterns of all modules took a quarter of the daemon's start, and most of them are
searched for by few events.
"""

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_compile"]

if TYPE_CHECKING:
    from re import compile as lazy_compile
else:

    class LazyPattern:
        """A regular expression that is compiled when a method of it is first used.

        A method that was used once is an attribute of the instance, so further uses cost no more
        than those of a compiled pattern. An invalid expression raises re.error on first use.
        """

        def __init__(self, pattern: str | bytes, flags: int) -> None:
            self.pattern = pattern
            self._flags = flags

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            value = getattr(self._compiled, name)
            setattr(self, name, value)
            return value

        @cached_property
        def _compiled(self) -> re.Pattern[Any]:
            return re.compile(self.pattern, self._flags)

    def lazy_compile(pattern, flags=0):
        """Return a pattern that is compiled on first use."""
        return LazyPattern(pattern, flags)
