#!/usr/bin/env bash
# Notification, matcher idle_prompt|permission_prompt: a desktop notification that the agent waits.
#
#   hookd hook add Notification '"$HOOKD_PROJECT_DIR"/.hookd/hooks/notify-idle.sh' \
#     --matcher 'idle_prompt|permission_prompt' --background --id notify-idle --scope project
set -u

where=${HOOKD_PROJECT_DIR:-${HOOKD_CWD:-somewhere}}
text="waits for you in ${where##*/}"
if command -v notify-send >/dev/null; then
  notify-send 'Claude Code' "$text"
elif command -v osascript >/dev/null; then
  osascript -e 'on run {text}' -e 'display notification text with title "Claude Code"' \
    -e 'end run' "$text"
fi
exit 0
