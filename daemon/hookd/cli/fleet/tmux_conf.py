"""The lines for the user's tmux.conf: labels of windows by their status, and the focus hook."""

from collections.abc import Mapping
from shlex import quote

from hookd.core.model.effects.messages import Status
from hookd.core.sessions.tmux import COLOURS

_LABELS: Mapping[Status, str] = {
    "error": "#802020",
    "attention": "#208050",
    "working": "#204060",
    "checked": "#304020",
    "idle": "#303030",
    "done": "#303030",
}
"""The background of the current window's label."""

_LABEL = "#I:#W#{?window_flags,#{window_flags}, }"
_PLACE = 42
"""Of the hooks of one name, ours: other ones stay, and loading the lines again adds none."""

_CONDITION = "#{&&:#{!=:#{@suppress_focus_hook},1},#{==:#{@pane_notify},attention}}"
"""Only where a person's look changes something is a process started."""

_CONF = """\
# The fleet: each agent's status in its pane and window, by hookd.
set-option -g focus-events on
set-option -g window-status-format '{plain}'
set-option -g window-status-current-format '{current}'
# A person who looks at a pane has checked it; not while @suppress_focus_hook is 1.
set-hook -g 'pane-focus-in[{place}]' {{
  if-shell -F '{condition}' {{
    run-shell -b {command}
  }}
}}
"""


def render(hookd: str) -> str:
    """Return the lines. `hookd` is the program's absolute path."""
    program = quote(hookd).replace("#", "##")  # run-shell expands formats
    # Whatever a command prints, also that it failed, would cover the pane.
    place = "#{pane_id} --socket #{q:socket_path} --server #{pid}"
    command = f"{program} fleet focus {place} >/dev/null 2>&1 || :"
    return _CONF.format(
        plain=_label("fg", {status: pair[1] for status, pair in COLOURS.items()}),
        current=_label("bg", _LABELS, "#[fg=white]#[bold]"),
        place=_PLACE,
        condition=_CONDITION,
        command=quote(command),
    )


def _label(ground: str, colours: Mapping[Status, str], always: str = "") -> str:
    """Return a label's format: a window without a status looks as tmux has it."""
    choice = colours["done"]
    for status, colour in colours.items():
        if colour != colours["done"]:
            choice = f"#{{?#{{==:#{{@window_notify}},{status}}},{colour},{choice}}}"
    return f"#{{?@window_notify,{always}#[{ground}={choice}],}}{_LABEL}"
