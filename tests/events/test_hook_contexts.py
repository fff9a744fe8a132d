"""Texts of hooks are found in the transcript of a resumed conversation."""

import json
from typing import Any

import pytest

from hookd.events.hook_contexts import hook_contexts


@pytest.mark.parametrize(
    ("version", "followed", "held"),
    [
        ("2.1.119", False, ("first",)),
        ("2.1.119", True, ("first", "last")),
        ("2.1.120", False, ("first", "last")),
        ("2.2.0", False, ("first", "last")),
        (None, False, ("first", "last")),
        ("2.1.119-beta\n", False, ("first", "last")),
    ],
)
def test_older_clients_resume_without_the_contexts_after_the_last_message(
    version: str | None, followed: bool, held: tuple[str, ...]
) -> None:
    def written(**more: Any) -> bytes:
        return json.dumps({"version": version, **more}, separators=(",", ":")).encode()

    def context(text: str) -> bytes:
        added = {"type": "hook_additional_context", "content": [text]}
        return written(type="attachment", attachment=added)

    message = written(type="user", message={"content": "go on"})
    lines = [context("first"), message, context("last"), *([message] if followed else [])]
    assert hook_contexts(lines) == held
