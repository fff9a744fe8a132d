"""Colours of the board by the name of a style, and the attributes used without colours."""

from collections.abc import Mapping

from rich.style import Style

_BACKGROUND, _SURFACE, _CURSOR = "#11151c", "#1b212c", "#26385a"
_TEXT, _DIM, _ACCENT = "#c8d0da", "#7d8796", "#7aa2f7"
_GOOD, _WARN, _BAD, _TOLD = "#8fce9b", "#e5b567", "#f07f8b", "#b79cf0"

COLOURED: Mapping[str, Style] = {
    "": Style(color=_TEXT, bgcolor=_BACKGROUND),
    "dim": Style(color=_DIM),
    "title": Style(color="#e6ebf2", bold=True),
    "accent": Style(color=_ACCENT),
    "good": Style(color=_GOOD),
    "warn": Style(color=_WARN),
    "bad": Style(color=_BAD, bold=True),
    "told": Style(color=_TOLD),
    "key": Style(color=_ACCENT, bold=True),
    "bar": Style(color=_DIM, bgcolor=_SURFACE),
    "bar.title": Style(color=_TEXT, bgcolor=_SURFACE, bold=True),
    "bar.focus": Style(color="#0d1016", bgcolor=_ACCENT, bold=True),
    "bar.key": Style(color=_ACCENT, bgcolor=_SURFACE, bold=True),
    "bar.good": Style(color=_GOOD, bgcolor=_SURFACE),
    "bar.warn": Style(color=_WARN, bgcolor=_SURFACE, bold=True),
    "bar.bad": Style(color=_BAD, bgcolor=_SURFACE, bold=True),
    "alert.bad": Style(color="#ffffff", bgcolor="#a4303f", bold=True),
    "alert.warn": Style(color="#16120a", bgcolor=_WARN, bold=True),
    "cursor": Style(bgcolor=_CURSOR),
    "cursor.away": Style(bgcolor="#1c2536"),
    "added": Style(color=_GOOD),
    "removed": Style(color=_BAD),
    "mark": Style(reverse=True),
}

PLAIN: Mapping[str, Style] = {
    **dict.fromkeys(COLOURED, Style()),
    "title": Style(bold=True),
    "bad": Style(bold=True),
    "warn": Style(bold=True),
    "key": Style(bold=True),
    "dim": Style(dim=True),
    "bar.title": Style(bold=True),
    "bar.key": Style(bold=True),
    "bar.focus": Style(bold=True, reverse=True),
    "alert.bad": Style(bold=True, reverse=True),
    "alert.warn": Style(bold=True, reverse=True),
    "cursor": Style(reverse=True),
    "cursor.away": Style(underline=True),
    "mark": Style(reverse=True),
}
"""With NO_COLOR: attributes only."""

CSS = f"""
Screen {{ background: {_BACKGROUND}; color: {_TEXT}; layers: base; overflow: hidden; }}
Screen.plain {{ background: ansi_default; color: ansi_default; }}
"""
