"""Built-in policies, one a file, and their table in the order of evaluation."""

from collections.abc import Mapping, Sequence

from hookd.config.models import Policies, PolicyOptions, Section
from hookd.core.model.policy import Policy
from hookd.policies import (
    anthropic_context_window_limit_recovery,
    auto_slash_command,
    background_notification,
    claim_guard,
    compaction_context_injector,
    context_window_monitor,
    delegate_task_retry,
    destructive_guard,
    directory_agents_injector,
    edit_error_recovery,
    empty_task_response_detector,
    file_guard,
    guard_rules,
    heartbeat,
    keyword_detector,
    mail_guard,
    non_interactive_env,
    overflow,
    path_guard,
    ralph_loop,
    read_throttle,
    rules_injector,
    secrets_guard,
    self_guard,
    session_gate,
    session_notification,
    session_recovery,
    single_task,
    stop_continuation_guard,
    todo_continuation_enforcer,
    tool_output_truncator,
    verification,
    work_items,
    write_existing_file_guard,
)
from hookd.policy_support.layering import choose

POLICIES: tuple[Policy, ...] = (
    destructive_guard.POLICY,
    secrets_guard.POLICY,
    self_guard.POLICY,
    path_guard.POLICY,
    claim_guard.POLICY,
    overflow.POLICY,
    read_throttle.POLICY,
    work_items.POLICY,
    mail_guard.POLICY,
    session_gate.POLICY,
    write_existing_file_guard.POLICY,
    heartbeat.POLICY,
    keyword_detector.POLICY,
    auto_slash_command.POLICY,
    non_interactive_env.POLICY,
    guard_rules.POLICY,
    tool_output_truncator.POLICY,
    context_window_monitor.POLICY,
    directory_agents_injector.POLICY,
    rules_injector.POLICY,
    empty_task_response_detector.POLICY,
    edit_error_recovery.POLICY,
    delegate_task_retry.POLICY,
    verification.POLICY,
    single_task.POLICY,
    file_guard.POLICY,
    stop_continuation_guard.POLICY,
    session_recovery.POLICY,
    anthropic_context_window_limit_recovery.POLICY,
    ralph_loop.POLICY,
    todo_continuation_enforcer.POLICY,
    compaction_context_injector.POLICY,
    background_notification.POLICY,
    session_notification.POLICY,
)
"""Every policy, lowest priority first."""


def configure(settings: Policies) -> Mapping[str, PolicyOptions]:
    """Return the options of every policy by name, as the user's own settings say.

    Raise ValueError that names an unknown policy, or the key that is wrong.
    """
    return configured([Section(settings)])


def configured(sections: Sequence[Section]) -> Mapping[str, PolicyOptions]:
    """Return the options of every policy by name, as several layers say, the weakest first.

    Raise ValueError as `configure` does.
    """
    return {name: choice.options for name, choice in choose(POLICIES, sections).items()}
