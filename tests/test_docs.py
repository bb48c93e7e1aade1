"""The site: its menu, its words, its pictures, and what it puts under code."""

from __future__ import annotations

import ast
import re
import runpy
import sys

import pytest
from checkout import DOCS, ROOT

PAGES = sorted(path.name for path in DOCS.glob("*.md"))
CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
OLD_WORDS = ("speaks for it", "foretold", "foretell", "keep their word", "keeps its word")
LARGEST = 150_000  # bytes of a picture that is kept


@pytest.fixture(scope="module")
def with_outputs():
    return runpy.run_path(str(DOCS / "outputs.py"))["with_outputs"]


def test_the_menu_has_sections_and_every_page_once():
    nav = CONFIG[CONFIG.index("nav:") :]
    sections = re.findall(r"^  - ([\w-]+):$", nav, re.MULTILINE)
    assert sections == ["Start", "Tutorials", "How-to", "Models", "Theory", "Reference"]
    assert sorted(re.findall(r"[\w-]+\.md", nav)) == PAGES


def test_nothing_is_fetched_from_outside():
    assert re.search(r"^  font: false\b", CONFIG, re.MULTILINE)
    for name in ("extra.css", *PAGES):
        text = (DOCS / name).read_text(encoding="utf-8")
        assert not re.search(r"!\[[^]]*\]\(https?://|@import|url\(https?:", text), name


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{page}" for page in PAGES)])
def test_words_are_of_today(page):
    text = (ROOT / page).read_text(encoding="utf-8").lower()
    assert [word for word in OLD_WORDS if word in text] == []


def test_no_picture_needs_data_that_is_not_here():
    """Pictures are drawn of what comes with the project, or kept; those kept are small."""
    drawing = (DOCS / "pictures.py").read_text(encoding="utf-8")
    drawn = set(re.findall(r'HERE / "([\w-]+)\.svg"', drawing))
    drawn |= set(re.findall(r'^    \(\s*"([\w-]+)",', drawing, re.MULTILINE))
    drawn |= {f"mixture-{name}" for name in ("steps", "convergence")}
    alone = re.split(r"^if shared\.exists\(\):\n(?:    .*\n)+", drawing, flags=re.MULTILINE)
    assert all("shared" not in part or "shared = " in part for part in alone)
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        for folder, name in re.findall(r"\]\((img|kept)/([\w-]+)\.\w+\)", text):
            there = name in drawn if folder == "img" else (DOCS / "kept" / f"{name}.png").exists()
            assert there, f"{page}: {folder}/{name}"
    kept = list((DOCS / "kept").iterdir())
    assert {path.name: path.stat().st_size for path in kept if path.stat().st_size > LARGEST} == {}
    named = "".join((DOCS / page).read_text(encoding="utf-8") for page in PAGES)
    named += (ROOT / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in kept if f"kept/{path.name}" not in named] == []


def test_what_code_prints_stands_under_it(with_outputs):
    page = "# Page\n\n```python\nx = 6\nprint('hello')\nf'{x} times {7}'\n```\n\nEnd.\n"
    text, pictures = with_outputs(page, "page")
    assert text == page.replace("\nEnd.", "\n``` { .text .output }\nhello\n'6 times 7'\n```\n\nEnd.")
    assert pictures == {}


def test_pictures_stand_under_the_code_that_draws_them(with_outputs):
    page = "```python\nimport likely\np = likely.profile({'a': [1.0, 2.0]})['a']\np.plot()\n```\n"
    text, pictures = with_outputs(page, "page")
    assert text == page + "\n![What the code draws](outputs/page-1.png)\n"
    assert pictures["page-1.png"].startswith(b"\x89PNG")


def test_pictures_of_lines_stand_there_as_such(with_outputs):
    code = "from likely.draw import GraphNode, graph\ngraph([GraphNode('a')], [], title='a')\n"
    page = f"```python\n{code}```\n"
    text, pictures = with_outputs(page, "page")
    assert text == page + "\n![What the code draws](outputs/page-1.svg)\n"
    assert pictures["page-1.svg"].startswith(b"<svg")


def test_what_is_written_below_stays_and_names_go_on(with_outputs):
    page = "```python\nx = 1\nprint(x)\n```\n\n```text\n1\n```\n\n```python\nx + 0.5\n```\n"
    text, _ = with_outputs(page, "page")
    assert text == page + "\n``` { .text .output }\n1.5\n```\n"


def test_long_outputs_are_cut_and_failing_code_is_told(with_outputs):
    text, _ = with_outputs("```python\nprint('\\n'.join(map(str, range(100))))\n```\n", "page")
    assert "38\n...\n```" in text
    with pytest.raises(ZeroDivisionError):
        with_outputs("```python\n1 / 0\n```\n", "page")


def test_the_made_up_table_is_what_its_program_makes(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["customers.py"])
    runpy.run_path(str(ROOT / "examples" / "customers.py"))["write"](tmp_path / "customers.csv")
    bundled = ROOT / "src" / "likely" / "table" / "bundled" / "customers.csv"
    assert (tmp_path / "customers.csv").read_bytes() == bundled.read_bytes()


def test_the_first_figures_of_the_readme_are_those_that_come_out():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    said = [float(figure) for figure in re.findall(r"# \[\[([\d.]+), ([\d.]+)\]\]", code[1])[0]]
    names: dict[str, object] = {}
    exec(code[1].replace("model.predict_proba(", "told = model.predict_proba("), names)
    assert names["told"].round(2).tolist() == [said]


def undescribed(docstring: str) -> list[str]:
    """Lines of a section of parameters that name none: the builder of the site takes each for a parameter."""
    section = docstring.partition("\nParameters\n----------\n")[2]
    section = re.split(r"\n\n\w+\n-{3,}\n", section)[0]
    lines = [line for line in section.splitlines() if line[:1].strip()]
    return [line for line in lines if not re.match(r"\*{0,2}\w+(, \*{0,2}\w+)*( :.*)?$", line)]


@pytest.mark.parametrize(
    ("docstring", "said"),
    [
        ("A.\n\nParameters\n----------\na, b : int\n    Two.\n**more : str\n    More.", []),
        ("A.\n\nParameters\n----------\na : int\n    One.\n\nReturns\n-------\nA number.", []),
        ("A.\n\nParameters\n----------\na : int\n    One.\n\nMore of it.", ["More of it."]),
        ("A.\n\nParameters\n----------\na : int\n    One.\n\n>>> 1", [">>> 1"]),
    ],
)
def test_the_law_of_parameters_sees_what_it_should(docstring, said):
    assert undescribed(docstring) == said


def test_sections_of_parameters_hold_parameters_alone():
    """Else `make docs`, which is strict, refuses the page that shows them."""
    wrong = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Parameters\n" in text else ():
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                lines = undescribed(ast.get_docstring(node) or "")
                if lines:
                    wrong[path.name, getattr(node, "name", "")] = lines
    assert wrong == {}
