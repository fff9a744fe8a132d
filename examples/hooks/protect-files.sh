#!/usr/bin/env bash
# PreToolUse, matcher Edit|Write|MultiEdit: keeps secrets, lock files and .git from being written.
#
#   hookd hook add PreToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/protect-files.sh' \
#     --matcher 'Edit|Write|MultiEdit' --id protect-files --scope project
set -u

path=${HOOKD_FILE_PATH:-}
case $path in
  */.env | */.env.* | */package-lock.json | */pnpm-lock.yaml | */uv.lock | */Cargo.lock | */.git/*)
    echo "$path is protected: leave it as it is, and tell the user what you wanted there." >&2
    exit 2
    ;;
esac
