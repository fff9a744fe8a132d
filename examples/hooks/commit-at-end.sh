#!/usr/bin/env bash
# SessionEnd, in the background: commits what the session has left, but never on main or master.
#
#   hookd hook add SessionEnd '"$HOOKD_PROJECT_DIR"/.hookd/hooks/commit-at-end.sh' \
#     --background --timeout 30 --id commit-at-end --scope project
set -u

cd "${HOOKD_PROJECT_DIR:-${HOOKD_CWD:-/nowhere}}" || exit 0
branch=$(git symbolic-ref --quiet --short HEAD) || exit 0
# What is shared is for people to commit to.
[[ $branch != main && $branch != master ]] || exit 0

git add --all || exit 1
git diff --cached --quiet || git commit --quiet --message "Session ${HOOKD_SESSION_ID:-} ends"
