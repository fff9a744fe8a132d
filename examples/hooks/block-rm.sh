#!/usr/bin/env bash
# PreToolUse, matcher Bash: denies an rm that is recursive, however its flags are written.
#
#   hookd hook add PreToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/block-rm.sh' \
#     --matcher Bash --id block-rm --scope project
#
# It looks at the text of the command, so it can be written around; `hookd guard add` parses it.
# For Opta, which reads any exit code but 0 as a no, it takes OPTA_TOOL_ARGS and exits with 1.
set -u

no=2
[[ -z ${OPTA_EVENT:-} ]] || no=1

# The whole command, from stdin: a variable holds its first 2,048 bytes alone.
if ! command=$(python3 -c '
import json, os, sys
body = sys.stdin.read()
given = json.loads(body)["tool_input"] if body.strip() else json.loads(os.environ["OPTA_TOOL_ARGS"])
print(given.get("command", ""))
'); then
  echo "block-rm.sh could not read the command" >&2
  exit "$no"
fi

flags='(-[[:alpha:]]*[rR][[:alpha:]]*|--rec[a-z]*)'
destructive="(^|[^[:alnum:]_.-])rm[[:blank:]]([^;&|"$'\n'"]*[[:blank:]])?$flags([^[:alnum:]-]|\$)"
if [[ $command =~ $destructive ]]; then
  echo "Blocked: destructive rm. Name the files one by one, or ask the user to do it." >&2
  exit "$no"
fi
