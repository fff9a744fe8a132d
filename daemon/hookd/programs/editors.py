"""Editors: vim, nano, emacs, ed, code, ..."""

from hookd.programs.model import Program

PROGRAMS = (
    Program("vim vi nvim emacs", "shows edits may-run"),
    Program("nano pico micro", "shows"),
    Program("ed ex", "shows edits may-run may-start"),
    Program("code code-insiders cursor subl zed idea webstorm pycharm", "prints-nothing"),
)
