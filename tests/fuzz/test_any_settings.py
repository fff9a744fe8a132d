"""Any settings file is accepted, or refused with a message; nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from fuzz.odd_values import JSON, ODD
from hookd.config.load import SettingsError, load
from hookd.config.models import Settings
from hookd.pipeline.runtime_config import configured
from hookd.policies import POLICIES, configure

IN_ONE_HOME = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
SANE = st.sampled_from(
    [
        True,
        False,
        0,
        1,
        5,
        0.5,
        "off",
        "warn",
        "enforce",
        "*",
        "a",
        "/x",
        [],
        ["a"],
        {},
        None,
        "(",
        "[",
    ]
)


def shaped(model: type[BaseModel]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with the keys of a model, and some that it does not have."""
    keys: dict[str, st.SearchStrategy[Any]] = {}
    for name, field in model.model_fields.items():
        inner = field.annotation
        own = isinstance(inner, type) and issubclass(inner, BaseModel)
        value = shaped(inner) if own and inner is not None else SANE | JSON
        keys[field.alias or name] = value | SANE
    return st.fixed_dictionaries({}, optional=keys)


OPTIONS = st.fixed_dictionaries(
    {}, optional={policy.name: shaped(policy.options) for policy in POLICIES} | {"other": JSON}
)
NAMES = st.lists(st.sampled_from([policy.name for policy in POLICIES]) | st.text(max_size=3))
FILES = st.builds(
    lambda shape, policies, **more: shape | {"policies": policies} | more,
    shaped(Settings),
    st.fixed_dictionaries({}, optional={"options": OPTIONS, "enabled": NAMES, "disabled": NAMES}),
)
TEXTS = (
    st.binary(max_size=80)
    | (FILES | ODD).map(lambda value: json.dumps(value).encode())
    | st.tuples(FILES, st.floats(0, 1)).map(
        lambda both: (whole := json.dumps(both[0]).encode())[: int(len(whole) * both[1])]
    )
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@IN_ONE_HOME
@given(TEXTS)
@example(b"[" * 100_000)
@example(b'{"log": {"max_bytes": ' + b"9" * 5_000 + b"}}")
@example(b'{"log": {"level": "\\ud83d"}}')
def test_a_file_of_settings_is_taken_or_refused_with_a_sentence(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    found = configured(path)
    assert found.options.keys() == {policy.name for policy in POLICIES}
    try:
        taken = load(path).settings
        configure(taken.policies)
    except (SettingsError, ValueError) as error:
        assert found.problem
        assert found.settings == Settings()
        if isinstance(error, SettingsError):
            assert found.problem == str(error)
        found.problem.encode()
    else:
        assert (found.settings, found.problem) == (taken, "")


@IN_ONE_HOME
@given(FILES)
def test_what_was_taken_is_taken_again_as_it_was(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value))
    found = configured(path)
    if not found.problem:
        # Not as pydantic writes it: half a character may be in a file, by its escape.
        path.write_text(json.dumps(found.settings.model_dump(by_alias=True)))
        assert configured(path) == found
