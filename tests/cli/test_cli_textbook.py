"""`likely textbook` and `likely compare`."""

from __future__ import annotations

import json

import pytest

import likely
from likely import textbook


class TestTextbook:
    def test_lists(self, cli):
        out = cli.ok("textbook")
        assert all(f" {example.id} " in out for example in textbook.examples())
        data = json.loads(cli.ok("textbook", "--json"))
        assert sorted(line["id"] for line in data) == sorted(example.id for example in textbook.examples())
        books = [line["source"].replace(";", " ").split()[0] for line in data]
        assert list(dict.fromkeys(books)) == ["Flach", "Mitchell", "KTH", "CIML"]
        assert books == sorted(books, key=["Flach", "Mitchell", "KTH", "CIML"].index)

    def test_one(self, cli):
        assert cli.ok("textbook", "N6") == f"{textbook.show('N6')}\n"
        data = json.loads(cli.ok("textbook", "g2", "--json"))
        assert data["id"] == "G2"
        assert "boundary" in data["code"]
        assert any("wrong" in step["verdict"] for step in data["steps"])

    def test_check(self, cli, monkeypatch):
        """Some of them: tests/textbook has every figure."""
        monkeypatch.setattr(textbook, "_ALL", textbook.examples()[::8])
        found = json.loads(cli.ok("textbook", "--check", "--json"))
        assert found["ok"] is True
        assert [line["id"] for line in found["examples"]] == [one.id for one in textbook.examples()]
        assert all(line["ok"] for line in found["examples"])

    def test_check_fails_if_a_figure_is_off(self, cli, monkeypatch):
        from likely.textbook.example import Step, worked

        @worked("P9", "nobody", "Off", data="", steps=(Step("a", 1.0),))
        def off():
            return {"a": 2.0}

        monkeypatch.setattr(textbook, "_ALL", (off,))
        done = cli("textbook", "--check")
        assert done.code == 1
        assert "a: 2, and should be 1" in done.out
        assert "SOME ARE OFF" in done.out
        done = cli("textbook", "--check", "--json")
        assert (done.code, json.loads(done.out)["ok"]) == (1, False)
        monkeypatch.setattr(
            textbook, "_ALL", (textbook.Example(**(vars(off) | {"steps": (Step("a", 2.0),)})),)
        )
        assert cli.ok("textbook", "--check").rstrip().endswith("1 example, 1 figure: all right")

    def test_figure(self, cli, folder):
        cli.ok("textbook", "P5", "--figure", "p5.png")
        assert (folder / "p5.png").stat().st_size > 10_000
        done = cli("textbook", "P5", "--figure", "p5.png")
        assert (done.code, "--force" in done.err) == (1, True)
        cli.ok("textbook", "P5", "--figure", "p5.png", "--force")

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("X9",), "there is no worked example"),
            (("N6", "--check"), "give it alone"),
            (("--figure", "a.png"), "name the example"),
            (("N6", "--figure", "a.png"), "example N6 has none"),
            (("P5", "--figure", "a.doc"), "--figure a.doc"),
        ],
    )
    def test_refused(self, cli, arguments, said):
        done = cli("textbook", *arguments)
        assert done.code == 1
        assert said in done.err


class TestCompare:
    def test_rates(self, cli):
        found = likely.compare.groups(likely.read("titanic"), "survived", "class", success="yes")
        options = ["--outcome", "survived", "--by", "class", "--success", "yes"]
        assert cli.ok("compare", "titanic", *options) == f"{found}\n"
        data = json.loads(cli.ok("compare", "titanic", *options, "--json"))
        assert [line["group"] for line in data["groups"]] == ["1st", "2nd", "3rd", "crew"]
        assert len(data["differences"]) == 6

    def test_numbers(self, cli, folder):
        (folder / "t.csv").write_text("time,page\n1.5,a\n2.5,a\n3.0,b\n4.5,b\n")
        assert "b" in cli.ok("compare", "t.csv", "--outcome", "time", "--by", "page")
        (folder / "u.csv").write_text("code,page\n7,a\n8,a\n7,b\n7,b\n")
        assert "code = 7" in cli.ok("compare", "u.csv", "--outcome", "code", "--by", "page", "--success", "7")

    def test_refused(self, cli):
        done = cli("compare", "titanic", "--outcome", "survived", "--by", "clas")
        assert (done.code, "did you mean 'class'" in done.err) == (1, True)
        done = cli("compare", "titanic", "--outcome", "sex", "--by", "class")
        assert (done.code, "as in --success 'male'" in done.err) == (1, True)
        yes = cli.ok("compare", "titanic", "--outcome", "survived", "--by", "class")  # which is true
        assert "1st" in yes
