"""The rules of a program apply to the launchers that start it by its name."""

from support.parametrize import parametrize_all
from support.risks import said


@parametrize_all(
    ("text", "expected"),
    [
        ("python3 -m twine upload dist/*", said("twine upload dist/*")),
        ("php artisan migrate:fresh", said("artisan migrate:fresh")),
        ("python manage.py flush", said("manage.py flush")),
        ("python3 -m http.server", ""),
        ("php artisan migrate", ""),
        ("ruby twine upload", said("twine upload")),
    ],
)
def test_a_launched_program_has_its_own_rules(text: str, expected: str) -> None:
    assert said(text) == expected


def test_the_rules_that_are_compared_find_something() -> None:
    assert said("twine upload dist/*") != ""
    assert said("artisan migrate:fresh") != ""
