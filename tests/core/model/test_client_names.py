"""The names of clients are those of the adapters, and of the folders that they are kept in."""

from hookd.clients.adapters import ADAPTERS
from hookd.core.model.client_names import CLIENTS, client_label


def test_each_adapter_has_a_name_that_rules_may_use() -> None:
    assert set(ADAPTERS) <= set(CLIENTS)


def test_a_client_is_shown_with_its_version() -> None:
    assert client_label("codex", "0.169.0") == "codex 0.169.0"
    assert client_label("codex", None) == "codex"
    assert client_label(None, "2.1.330") == client_label("", None) == ""
