#!/usr/bin/env bash
# PostToolUse, matcher Edit|Write|MultiEdit: fix what a linter can fix. It never blocks, and the
# model does not see the rest. Not beside format-on-edit.sh: both would write the file at once.
#
#   hookd hook add PostToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/auto-lint.sh' \
#     --matcher 'Edit|Write|MultiEdit' --id auto-lint --scope project
set -u

path=${HOOKD_FILE_PATH:-}
[[ -f $path ]] || exit 0

case $path in
  *.ts | *.tsx | *.js | *.jsx) npx --no-install eslint --fix "$path" >&2 ;;
  *.py) ruff check --fix --quiet "$path" >&2 ;;
esac
exit 0
