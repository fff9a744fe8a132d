"""The pictures of the docs load nothing from another host."""

from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("picture", sorted(DOCS.glob("*.svg")), ids=lambda path: path.name)
def test_a_picture_loads_nothing(picture: Path) -> None:
    assert 'url("http' not in picture.read_text("utf-8")
