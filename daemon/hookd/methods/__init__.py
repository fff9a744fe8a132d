"""JSON-RPC methods and hook event handlers, pure: one per file, and their table.

A hook event without a file here is recorded and answered with silence.
"""

from hookd.core.model.method import HookMethod, Method
from hookd.methods.agents import list as agents_list
from hookd.methods.agents import register, update_status
from hookd.methods.agents import remove as agents_remove
from hookd.methods.allowances import add as allowances_add
from hookd.methods.allowances import list as allowances_list
from hookd.methods.allowances import remove as allowances_remove
from hookd.methods.caller import check
from hookd.methods.daemon import (
    backup,
    canary,
    compact,
    integrity,
    pause,
    query,
    size,
    status,
    stop,
    sweep,
    unjudged,
)
from hookd.methods.daemon import resume as daemon_resume
from hookd.methods.effort import finish, history, log, phase, preview, resume, start
from hookd.methods.effort import list as effort_list
from hookd.methods.events import body
from hookd.methods.events import list as events_list
from hookd.methods.fleet import focus, subscribe
from hookd.methods.fleet import status as fleet_status
from hookd.methods.guards import add, explain, remove
from hookd.methods.guards import list as guards_list
from hookd.methods.handover import list as handover_list
from hookd.methods.handover import save
from hookd.methods.hooks import (
    config_change,
    cwd_changed,
    directory_added,
    elicitation,
    elicitation_result,
    file_changed,
    instructions_loaded,
    notification,
    permission_denied,
    permission_request,
    post_compact,
    post_model_switch,
    post_tool_batch,
    post_tool_use,
    post_tool_use_failure,
    pre_compact,
    pre_model_switch,
    pre_tool_use,
    session_end,
    session_start,
    setup,
    stop_failure,
    subagent_start,
    subagent_stop,
    task_completed,
    task_created,
    teammate_idle,
    user_prompt,
    user_prompt_expansion,
    worktree_remove,
)
from hookd.methods.hooks import stop as stop_hook
from hookd.methods.injections import list as injections_list
from hookd.methods.loop import cancel
from hookd.methods.loop import start as loop_start
from hookd.methods.loop import status as loop_status
from hookd.methods.messages import list as messages_list
from hookd.methods.run import attach, end
from hookd.methods.session import finish as session_finish
from hookd.methods.session import list as session_list
from hookd.methods.session import status_line, update_context_usage
from hookd.methods.skill import list as skill_list
from hookd.methods.task import list as task_list
from hookd.methods.user_hooks import list as user_hooks_list
from hookd.methods.user_hooks import runs, trust, untrust

_TABLE: tuple[Method, ...] = (
    session_start.METHOD,
    setup.METHOD,
    instructions_loaded.METHOD,
    user_prompt.METHOD,
    user_prompt_expansion.METHOD,
    pre_tool_use.METHOD,
    permission_request.METHOD,
    permission_denied.METHOD,
    post_tool_use.METHOD,
    post_tool_use_failure.METHOD,
    post_tool_batch.METHOD,
    subagent_start.METHOD,
    subagent_stop.METHOD,
    task_created.METHOD,
    task_completed.METHOD,
    teammate_idle.METHOD,
    stop_hook.METHOD,
    stop_failure.METHOD,
    notification.METHOD,
    pre_compact.METHOD,
    post_compact.METHOD,
    pre_model_switch.METHOD,
    post_model_switch.METHOD,
    elicitation.METHOD,
    elicitation_result.METHOD,
    config_change.METHOD,
    cwd_changed.METHOD,
    file_changed.METHOD,
    directory_added.METHOD,
    worktree_remove.METHOD,
    session_end.METHOD,
    session_list.METHOD,
    update_context_usage.METHOD,
    status_line.METHOD,
    session_finish.METHOD,
    start.METHOD,
    preview.METHOD,
    resume.METHOD,
    phase.METHOD,
    effort_list.METHOD,
    history.METHOD,
    log.METHOD,
    finish.METHOD,
    task_list.METHOD,
    skill_list.METHOD,
    handover_list.METHOD,
    messages_list.METHOD,
    injections_list.METHOD,
    events_list.METHOD,
    body.METHOD,
    add.METHOD,
    guards_list.METHOD,
    explain.METHOD,
    remove.METHOD,
    allowances_add.METHOD,
    allowances_list.METHOD,
    allowances_remove.METHOD,
    save.METHOD,
    loop_start.METHOD,
    cancel.METHOD,
    loop_status.METHOD,
    register.METHOD,
    agents_list.METHOD,
    update_status.METHOD,
    agents_remove.METHOD,
    user_hooks_list.METHOD,
    runs.METHOD,
    trust.METHOD,
    untrust.METHOD,
    fleet_status.METHOD,
    focus.METHOD,
    subscribe.METHOD,
    attach.METHOD,
    end.METHOD,
    check.METHOD,
    status.METHOD,
    query.METHOD,
    integrity.METHOD,
    size.METHOD,
    backup.METHOD,
    compact.METHOD,
    canary.METHOD,
    sweep.METHOD,
    unjudged.METHOD,
    pause.METHOD,
    daemon_resume.METHOD,
    stop.METHOD,
)

METHODS: dict[str, Method] = {method.name: method for method in _TABLE}
"""Every method by its JSON-RPC name, in the order of the documentation."""

HOOKS = {method.event: method for method in _TABLE if isinstance(method, HookMethod)}
"""The methods that serve hook events, by the event's name."""
