"""Editors: vim, nano, emacs, ed, code, ..."""

from hookd.programs.model import Program

PROGRAMS = (
    Program("vim vi nvim", "shows edits may-run runs-ex-commands"),
    Program("emacs", "shows edits may-run runs-code"),
    Program("nano pico micro", "shows"),
    Program("ed", "shows edits may-run may-start"),
    Program("ex", "shows edits may-run may-start runs-ex-commands"),
    # The files of a patch are judged one by one (policy_support/judged_calls.py).
    Program("apply_patch applypatch", "prints-nothing plain takes-text"),
    Program("code code-insiders cursor subl zed idea webstorm pycharm", "prints-nothing"),
)
