"""Keep pydantic from searching for plugins, to start fast. Standard library and pydantic only."""

import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType

_METADATA = "importlib.metadata"


def skip_plugins() -> None:
    """Let pydantic find no plugins in this process; call it before the first model is built.

    The search imports some 40 modules, such as email and zipfile, and reads the metadata of every
    installed package. PYDANTIC_DISABLE_PLUGINS leaves only the reading out. If pydantic has
    changed, it searches.
    """
    if _METADATA in sys.modules:
        return
    nothing = ModuleType(_METADATA)
    vars(nothing)["entry_points"] = lambda **_: ()
    sys.modules[_METADATA] = nothing
    try:
        with suppress(ImportError):  # it has no such module, or that one needs more
            import_module("pydantic.plugin._loader")
    finally:
        del sys.modules[_METADATA]
