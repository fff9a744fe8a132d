"""Laws of methods: file, name, texts and examples."""

from pathlib import Path

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from hookd import methods
from hookd.core.model.method import HookMethod, HookResult, Method, Wire, method_doc, method_module
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from hookd.methods import HOOKS, METHODS
from support.parametrize import parametrize_all

FOLDER = Path(methods.__file__).parent
FILES = sorted(path for path in FOLDER.glob("*/*.py") if path.name != "__init__.py")
EXCEPTIONS = {"UserPromptSubmit": "hooks.userPrompt"}
"""Events whose method is not their own name: the name was wanted shorter."""

METHOD = parametrize_all("method", METHODS.values(), ids=METHODS)


def test_the_table_holds_every_file_and_no_file_is_forgotten() -> None:
    told = sorted(Path(str(method_module(method).__file__)) for method in METHODS.values())
    assert told == FILES


@METHOD
def test_a_method_is_called_by_its_folder_and_file(method: Method) -> None:
    path = Path(str(method_module(method).__file__))
    assert method.name == f"{to_camel(path.parent.name)}.{to_camel(path.stem)}"
    assert method_module(method).METHOD is method


@METHOD
def test_the_file_says_what_the_method_is_for(method: Method) -> None:
    first = method_doc(method).strip().partition("\n\n")[0]
    assert first.endswith(".")
    assert len(first) > 20


@METHOD
def test_there_is_at_least_one_example(method: Method) -> None:
    assert method.examples
    for example in method.examples:
        method.params.model_validate(example.params)


@METHOD
def test_params_and_result_say_what_they_are(method: Method) -> None:
    for model in (method.params, method.result):
        assert "__doc__" in vars(model), model
        assert (model.__doc__ or "").strip().endswith("."), model


@METHOD
def test_params_are_the_clients_or_strict(method: Method) -> None:
    base: type[BaseModel] = HookInput if isinstance(method, HookMethod) else Wire
    assert issubclass(method.params, base)
    assert issubclass(method.result, HookResult if isinstance(method, HookMethod) else Wire)
    assert method.params.model_config["extra"] == (
        "allow" if isinstance(method, HookMethod) else "forbid"
    )


@METHOD
def test_every_key_of_a_result_is_camel_case(method: Method) -> None:
    schema = method.result.model_json_schema(by_alias=True)
    assert all(to_camel(key) == key for key in schema["properties"])


@parametrize_all("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_of_a_method_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 120


@parametrize_all("event", HOOKS)
def test_a_hook_serves_the_event_that_its_name_says(event: str) -> None:
    assert HOOKS[event].name == EVENTS[event].method
    derived = "hooks." + event[0].lower() + event[1:]
    assert HOOKS[event].name == EXCEPTIONS.get(event, derived)


def test_every_hook_is_found_by_its_event() -> None:
    hooks = [method for method in METHODS.values() if isinstance(method, HookMethod)]
    assert list(HOOKS.values()) == hooks
    assert {method.name for method in hooks} == {
        name for name in METHODS if name.startswith("hooks.")
    }


def test_a_folder_of_methods_says_what_it_holds() -> None:
    for folder in {path.parent for path in FILES}:
        text = (folder / "__init__.py").read_text("utf-8")
        assert text.startswith('"""'), folder
