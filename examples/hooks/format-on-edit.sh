#!/usr/bin/env bash
# PostToolUse, matcher Edit|Write: formats what was written, and tells the model where that failed.
# Not beside auto-lint.sh: both would write the file at once.
#
#   hookd hook add PostToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/format-on-edit.sh' \
#     --matcher 'Edit|Write' --id format-on-edit --scope project
set -u

path=${HOOKD_FILE_PATH:-}
[[ -f $path ]] || exit 0

case $path in
  *.py) formatter=(ruff format) ;;
  *.go) formatter=(gofmt -w) ;;
  *.rs) formatter=(rustfmt) ;;
  *.js | *.jsx | *.ts | *.tsx | *.css | *.json | *.md) formatter=(npx --no-install prettier --write) ;;
  *) exit 0 ;;
esac

if ! said=$("${formatter[@]}" "$path" 2>&1); then
  printf '%s could not be formatted:\n%s\n' "$path" "$said" >&2
  exit 2
fi
