"""Which permission requests wait: the agent's setting, else the innermost folder's, else all."""

import pytest
from pydantic import ValidationError

from hookd.config.models import ApprovalOptions
from hookd.core.evaluation.approvals import holds


@pytest.mark.parametrize(
    ("options", "agent", "project", "wanted"),
    [
        ({}, "a", "/work", False),
        ({"hold": True}, None, None, True),
        ({"hold": True, "agents": {"a": False}}, "a", "/work", False),
        ({"agents": {"a": True}}, "b", "/work", False),
        ({"agents": {"a": True}, "projects": {"/work": False}}, "a", "/work", True),
        ({"projects": {"/work": True}}, None, "/work/orders", True),
        ({"projects": {"/work/": True}}, None, "/work", True),
        ({"projects": {"/work": True, "/work/orders": False}}, None, "/work/orders/api", False),
        ({"projects": {"/work": True}}, None, "/workshop", False),
        ({"projects": {"/": True}}, "a", "/any", True),
        ({"projects": {"/work": True}}, "a", None, False),
    ],
)
def test_the_nearest_setting_counts(
    options: dict[str, object], agent: str | None, project: str | None, wanted: bool
) -> None:
    assert holds(ApprovalOptions.model_validate(options), agent, project) is wanted


def test_a_folder_is_absolute() -> None:
    with pytest.raises(ValidationError, match="must be an absolute path"):
        ApprovalOptions(projects={"orders": True})
