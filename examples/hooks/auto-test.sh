#!/usr/bin/env bash
# PostToolUse, matcher Edit|Write: runs the tests in the background. It never blocks.
#
#   hookd hook add PostToolUse '"$HOOKD_PROJECT_DIR"/.hookd/hooks/auto-test.sh' \
#     --matcher 'Edit|Write' --background --id auto-test --scope project
set -u

case ${HOOKD_FILE_PATH:-} in
  *.ts | *.tsx) npm test -- --run --reporter=dot 2>&1 | tail -5 >&2 ;;
esac
exit 0
