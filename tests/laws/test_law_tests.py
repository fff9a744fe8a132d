"""Every module of hookd has a test file at the same place, or a line here that names its test."""

from collections.abc import Iterable, Iterator, Mapping

from hookd.core.model.method import method_module
from hookd.methods import METHODS
from support.parametrize import parametrize_all
from support.paths import ROOT, TESTS

PACKAGE = ROOT / "daemon" / "hookd"

ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "": {"cli/lib/test_client.py": "__main__"},
    "cli/board": {
        "cli/lifecycle/test_demo.py": "still",
        "cli/board/test_app.py": "acts dialogs help pane sources theme",
        "cli/board/test_views.py": "approval_lines chrome fleet_lines stream_lines",
        "live/test_board.py": "database explanation_lines timeline_lines",
    },
    "cli/doctor/checks": {
        "live/test_fleet_items.py": "fleet_items",
        "live/test_fleet_sync.py": "fleet",
        "cli/doctor/test_doctor.py": "canary command_line guard_rules incidents other_hooks"
        " registration result storage",
    },
    "cli/fleet": {
        "cli/fleet/test_central_lists.py": "viewer_file",
        "cli/fleet/test_central_store.py": "admin_file",
        "live/test_agent_status.py": "agents",
        "live/test_fleet_sync.py": "sync sync_process",
        "live/test_approvals.py": "approvals",
        "live/test_claims.py": "claims",
        "system/test_tmux.py": "tmux_conf",
    },
    "cli/guard": {
        "live/test_rule_files.py": "rules_file share",
        "cli/guard/test_explain.py": "evaluate",
        "live/test_allow.py": "allow",
        "live/test_deny.py": "deny",
        "live/test_guard_rules_conditions.py": "preset rule_options",
        "live/test_guard_rules_triggers.py": "guard",
    },
    "cli/history": {
        "cli/history/test_events.py": "why",
        "cli/lib/test_client.py": "query",
    },
    "cli/hooks": {
        "cli/hooks/test_edit.py": "find",
        "cli/hooks/test_hooks.py": "format",
        "cli/hooks/test_test.py": "offline_run",
        "cli/hooks/test_trust.py": "own_files project_files write_trusted",
        "live/test_rule_files.py": "trust_rules",
    },
    "cli/install": {
        "cli/install/test_install.py": (
            "claude_code plan report scope_folder settings_file settings_record uninstall"
        ),
        "cli/install/test_other_client.py": "clients codex_config",
        "cli/install/test_purge.py": "own_files",
        "cli/plugin/test_plugin.py": "plugin_scope",
        "live/test_hook_deadlines.py": "deadlines",
    },
    "cli/lib": {
        "cli/doctor/checks/test_own_programs.py": "program_search transport",
        "cli/hooks/test_edit.py": "json_splice",
        "cli/about/test_help.py": "groups",
        "cli/history/test_events.py": "follow",
        "cli/work/test_checkpoint.py": "git",
        "cli/work/test_effort.py": "artifacts",
        "cli/lib/test_output.py": "terminal",
        "live/test_person_only.py": "person",
    },
    "cli/lifecycle": {
        "cli/lib/test_client.py": "daemon_group logs rpc",
        "live/test_pausing.py": "pause",
        "live/test_starting.py": "daemon lift_stop serve",
    },
    "cli/mail": {"live/test_mail.py": "exchange mail news"},
    "cli/mcp": {"live/test_mcp.py": "calls mcp server tools"},
    "cli/policies": {"cli/policies/test_policies.py": "effective set"},
    "cli/service": {"cli/service/test_service.py": "managers start unit_files"},
    "cli/settings": {"cli/settings/test_check.py": "settings"},
    "cli/web": {"live/test_web.py": "policy_rows"},
    "cli/work": {
        "cli/work/test_effort.py": "skill task",
        "live/test_forget_session.py": "forget",
        "live/test_context_sources.py": "session",
    },
    "central": {
        "fleet_sync/test_shipper.py": "sent_events",
        "central/test_shipping.py": "errors",
    },
    "clients": {"clients/test_adapters.py": "contract"},
    "clients/opencode": {"clients/opencode/test_encode.py": "capabilities"},
    "clients/copilot": {"clients/copilot/test_encode.py": "capabilities"},
    "clients/claude_code": {
        "cli/doctor/test_transcript.py": "transcript_check",
        "cli/install/test_mcp_server.py": "mcp_entry",
        "cli/install/test_options_permissions.py": "permission_entries",
    },
    "config": {
        "config/test_load.py": "models",
    },
    "core/context_window": {
        "live/test_compaction_and_subagents.py": "compaction",
        "policies/test_keyword_detector.py": "prompt_text",
        "policies/test_rules_injector.py": "front_matter rule_files",
    },
    "core/efforts": {
        "core/efforts/test_phases_entering.py": "skill_lookup",
        "core/efforts/test_skill.py": "skill_parser skill_yaml",
        "core/efforts/test_skill_call.py": "briefing",
        "core/efforts/test_slash_command.py": "log_entry",
        "live/test_todos.py": "todos",
    },
    "core/evaluation": {
        "core/evaluation/test_pause.py": "notices",
        "core/evaluation/test_typed_command.py": "allow_call",
    },
    "core/fleet": {
        "live/test_fleet_items.py": "fleet_mail incoming item_shapes",
    },
    "fleet_sync": {
        "fleet_sync/test_shipper.py": "store",
        "live/test_fleet_sync.py": "ledger",
        "live/test_two_hosts.py": "clock outgoing",
    },
    "core/guard_rules": {
        "live/test_guard_rules_conditions.py": "budgets results",
        "live/test_rule_files.py": "file_state",
        "core/guard_rules/test_trigger_match.py": "trigger_schema",
        "policies/test_guard_rules.py": "render",
    },
    "core/hook_rules": {
        "core/hook_rules/test_dialects.py": "field_reader parse",
        "core/hook_rules/test_environment.py": "event_summary path_policy",
        "core/hook_rules/test_layers.py": "model sources",
        "core/hook_rules/test_match.py": "if_condition",
    },
    "core/model": {
        "core/efforts/test_joining.py": "origin",
        "core/evaluation/test_pause.py": "daemon_state",
        "core/mail/test_sending.py": "mail",
        "core/fleet/test_membership.py": "fleet_requests membership",
        "core/model/test_fact_requests.py": "facts",
        "store/facts/test_claims.py": "claim claim_requests",
        "store/facts/test_mail.py": "mail_requests",
        "shims/test_shim.py": "fail_policy",
        "laws/test_law_methods.py": "method",
        "laws/test_law_policies.py": "policy",
        "live/test_mcp.py": "own_call work_requests",
        "methods/test_methods_lists.py": "row_shapes",
        "rpc/test_jsonrpc.py": "errors",
    },
    "core/model/effects": {
        "daemon/test_after_commit.py": "after_commit",
        "live/test_forget_session.py": "forget",
        "store/writes/test_fleet.py": "fleet",
        "store/writes/test_fleet_items.py": "fleet_items",
        "store/writes/test_mail.py": "mail",
        "store/writes/test_writes.py": "claims efforts messages own_calls sessions union"
        " work_items",
    },
    "core/work_items": {"live/test_work_items.py": "model"},
    "core/statistics": {
        "cli/history/test_stats.py": "report summary",
        "store/test_counts.py": "event_counts",
    },
    "core/sessions": {
        "live/test_agent_status.py": "agent_status",
        "live/test_session_identity.py": "open_session",
        "policies/test_ralph_loop.py": "loop",
    },
    "daemon": {
        "live/test_approvals.py": "approval_publisher row_corrections",
        "live/test_event_subscription.py": "event_publisher",
        "live/test_forget_session.py": "erase_texts",
        "live/test_fleet_subscription.py": "fleet_publisher",
        "live/test_mail.py": "mail_expiry",
        "live/test_mail_in_tmux.py": "mail_waking",
        "live/test_missed_events.py": "unjudged_import",
        "live/test_missed_session_ends.py": "maintenance",
        "live/test_reload.py": "config_reload",
        "live/test_serving.py": "app",
        "live/test_starting.py": "socket_file",
        "live/test_watchdog.py": "watchdog",
    },
    "events": {
        "core/guard_rules/test_dead_rules.py": "tool_names",
        "core/hook_rules/test_match.py": "js_regex matcher",
        "laws/test_law_events.py": "protocol",
        "policies/test_session_recovery.py": "failures",
    },
    "judge": {"judge/test_judge.py": "__main__"},
    "log": {
        "daemon/test_after_commit.py": "incidents",
        "log/test_file.py": "logger",
    },
    "pipeline": {
        "live/test_approvals.py": "approval_stage",
        "live/test_event_order.py": "event_order",
        "live/test_user_hooks.py": "user_hook_stage",
        "live/test_reload.py": "runtime_config",
        "rpc/test_dispatcher.py": "pipeline",
    },
    "policies": {
        "live/test_work_items.py": "work_items",
        "policies/test_policies_conversations.py": "overflow",
    },
    "policy_support": {
        "policies/test_background_notification.py": "background_tasks",
        "policies/test_destructive_guard.py": "call_context",
        "policies/test_edit_error_recovery.py": "rate_limit",
        "policies/test_non_interactive_env.py": "interactive_commands",
    },
    "policy_support/self_guard": {
        "policies/test_self_guard_commands.py": "client_commands embedded_code file_destinations"
        " hookd_commands nested_commands packages patch_files path_arguments processes"
        " protected_files readers text_changes tools unknown_targets unpacked_files",
    },
    "redaction": {"redaction/test_redaction.py": "patterns redact"},
    "replay": {"replay/test_engine.py": "event plan recorder"},
    "risk": {
        "risk/test_analyze.py": "model registry",
        "risk/test_execution.py": "subcommands variable_values",
        "risk/test_risk_disguises.py": "quoting",
        "policies/test_path_guard.py": "written_files",
    },
    "programs": {
        "laws/test_law_programs.py": "agents archives aws build_tools clouds clusters"
        " code_hosts containers"
        " databases deletion disks editors files general infrastructure interpreters"
        " language_packages migrations model network node_packages platforms python_packages"
        " secret_stores shells storage system system_packages text version_control wrappers",
    },
    "risk/inline": {
        "risk/inline/test_interpreters.py": "known_calls lowering source",
        "risk/inline/test_constants.py": "snippets",
    },
    "risk/rules": {
        "risk/rules/test_deletion.py": "output_flags writes",
        "risk/rules/test_rules_system.py": "disks permissions process_names processes",
    },
    "risk/secrets": {
        "policies/test_secrets_guard.py": "tool_paths",
        "risk/secrets/test_secrets.py": "analyze paths printers readers",
        "risk/secrets/test_secrets_uses.py": "unknown_readers variables",
    },
    "shell": {
        "core/guard_rules/test_rule_permission_syntax.py": "file_globs",
        "core/hook_rules/test_match.py": "globs",
        "events/test_tool_pattern.py": "argv command_pattern",
        "policies/test_path_guard.py": "path_globs",
        "risk/rules/test_deletion_empty_variables.py": "success_dependencies",
        "risk/test_risk_disguises.py": "command_flags",
        "shell/test_shell.py": "commands expand literal_passages model parser quoting words",
        "shell/test_shell_nested_texts.py": "env_printers",
    },
    "socket_client": {"socket_client/test_client.py": "errors link messages"},
    "store": {
        "cli/history/test_stats.py": "statistics",
        "daemon/test_database_maintenance.py": "space",
        "live/test_forget_session.py": "session_rows",
        "live/test_secrets.py": "guard_rules",
        "store/test_reader.py": "statement",
        "store/test_recovery.py": "health",
    },
    "store/browse": {"live/test_web.py": "rules", "web/test_metrics.py": "metrics"},
    "store/facts": {
        "live/test_forget_session.py": "traces",
        "live/test_mcp.py": "own_calls",
        "store/facts/test_facts.py": "efforts rows sessions",
        "store/writes/test_fleet.py": "fleet",
    },
    "store/writes": {
        "store/writes/test_writes.py": "efforts messages own_calls sessions statements work_items",
        "store/writes/test_writes_redaction.py": "hook_runs",
    },
    "system": {
        "live/test_mail_in_tmux.py": "tmux_keys",
        "cli/doctor/checks/test_machine.py": "container",
        "judge/test_judge.py": "slots unjudged_spool",
        "live/test_private_files.py": "private_dirs",
        "system/test_ancestry.py": "ancestry_macos",
        "system/test_file_reader.py": "file_lookup",
    },
    "user_hooks": {
        "cli/hooks/test_hooks_hostile_folders.py": "files",
        "live/test_rule_files.py": "rule_files",
        "user_hooks/test_command_hook.py": "process process_io program reaper",
        "user_hooks/test_http_hook.py": "http_client",
        "user_hooks/test_project_config.py": "project_settings",
    },
    "web": {
        "live/test_web.py": "app context listener middleware open_link page server stream",
        "web/test_metrics.py": "metric_definitions",
    },
    "web/central_pages": {
        "live/test_web_fleet.py": "event fields host hosts minutes session sessions",
    },
    "web/pages": {
        "live/test_web_approvals.py": "approvals",
        "live/test_web.py": "decisions event policies rules session",
        "live/test_web_statistics.py": "efforts health hooks statistics work_items",
    },
}
"""Modules that a test at another place tests: by package, then by test. Shorter is better."""

TABLE = {
    method_module(method).__name__.removeprefix("hookd.").replace(".", "/")
    for method in METHODS.values()
}
"""Methods: tests/methods runs every example of the table, and a law wants examples of each."""


def modules() -> set[str]:
    """Return every module, such as `risk/rules/cloud`; packages are not among them."""
    paths = (path.relative_to(PACKAGE) for path in sorted(PACKAGE.rglob("*.py")))
    return {path.with_suffix("").as_posix() for path in paths if path.name != "__init__.py"}


def mirrors() -> list[str]:
    """Return the files of tests that stand where a module or a package stands."""
    tops = {module.partition("/")[0] for module in MODULES if "/" in module}
    paths = [path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")]
    here = (path for path in paths if len(path.parts) == 1 or path.parts[0] in tops)
    return sorted(path.as_posix() for path in here)


def subject(test: str) -> str | None:
    """Return the module that a file of tests tests by its place and name, "" for a package.

    The name may continue with an aspect: `test_tmux_messages` is of `tmux`.
    """
    folder, _, name = test.rpartition("/")
    stem = name.removeprefix("test_").removesuffix(".py")
    places = [f"{folder}/{stem[:end]}".lstrip("/") for end in _ends(stem)]
    if found := next((place for place in places if place in MODULES), None):
        return found
    package = folder.rpartition("/")[2]
    return "" if package and f"{stem}_".startswith(f"{package}_") else None


def _ends(stem: str) -> Iterator[int]:
    """Yield where a name may end and its aspect begin, the longest name first."""
    yield len(stem)
    for end in reversed(range(1, len(stem))):
        if stem[end] == "_":
            yield end


def elsewhere() -> dict[str, str]:
    """Return the test of each module that the table names."""
    found = [
        (f"{package}/{name}".lstrip("/"), test)
        for package, tests in ELSEWHERE.items()
        for test, names in tests.items()
        for name in names.split()
    ]
    assert len(dict(found)) == len(found), "a module is in the table twice"
    return dict(found)


MODULES = modules()
MIRRORS = mirrors()
OWN = {subject(test) for test in MIRRORS}


def untested(known: Iterable[str]) -> set[str]:
    """Return the modules without a test of their own, a line above, or a row of METHODS."""
    return set(known) - OWN - elsewhere().keys() - TABLE


def test_every_module_has_a_test_at_its_place_or_a_line_that_names_one() -> None:
    assert untested(MODULES) == set()


def test_a_new_module_without_either_is_found() -> None:
    new = {
        "policies/no_fridays",
        "risk/rules/terraform",
        "methods/session/rename",
        "cli/hooks/sort",
    }
    assert untested(MODULES | new) == new


@parametrize_all("test", MIRRORS)
def test_every_test_at_a_mirrored_place_is_of_a_module_or_a_package(test: str) -> None:
    assert subject(test) is not None


@parametrize_all(("module", "test"), elsewhere().items())
def test_the_table_names_modules_and_tests_that_exist_and_is_no_longer_than_it_must(
    module: str, test: str
) -> None:
    assert module in MODULES
    assert (TESTS / test).is_file()
    assert module not in OWN, "it has a test at its place"
    assert module not in TABLE


@parametrize_all(
    ("test", "expected"),
    [
        ("system/test_tmux.py", "system/tmux"),
        ("system/test_tmux_messages.py", "system/tmux"),
        ("cli/fleet/test_tmux_conf.py", "cli/fleet/tmux_conf"),
        ("risk/rules/test_rules_system.py", ""),
        ("test_paths.py", "paths"),
        ("risk/rules/test_tmux.py", None),
    ],
)
def test_a_test_belongs_to_the_longest_name_that_it_begins_with(
    test: str, expected: str | None
) -> None:
    assert subject(test) == expected
