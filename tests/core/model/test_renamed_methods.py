"""A deprecated name leads to a method that exists, and is never a current one."""

from hookd.core.model.renamed_methods import RENAMED_METHODS, current_method, method_deprecation
from hookd.methods import METHODS
from support.parametrize import parametrize_all


@parametrize_all("old", RENAMED_METHODS)
def test_a_deprecated_name_leads_to_a_method(old: str) -> None:
    assert old not in METHODS
    assert current_method(old) in METHODS
    notice = f"the method {old} is deprecated: use {current_method(old)}"
    assert method_deprecation(old) == notice


@parametrize_all("name", ["effort.list", "userHooks.list", "no.such"])
def test_other_names_stay_and_need_no_notice(name: str) -> None:
    assert (current_method(name), method_deprecation(name)) == (name, "")
