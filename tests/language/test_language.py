"""The language of questions: what it means, what it refuses, and that nothing breaks it."""

from __future__ import annotations

import contextlib
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seeds import examples

from likely.errors import LikelyError
from likely.language import And, Condition, Not, Or, Query, Word, parse_conditions, parse_query


def condition(variable: str, relation: str, *words: str) -> Condition:
    return Condition(variable, relation, tuple(map(Word, words)))


MEANINGS = {
    "P(survived=yes | sex=female, age=adult)": Query(
        "P",
        events=(condition("survived", "=", "yes"),),
        given=(condition("sex", "=", "female"), condition("age", "=", "adult")),
    ),
    "P(a==1 and b!=2, c in {x, y})": Query(
        "P", events=(condition("a", "=", "1"), condition("b", "!=", "2"), condition("c", "in", "x", "y"))
    ),
    "P(survived | sex=female)": Query("P", variables=("survived",), given=(condition("sex", "=", "female"),)),
    "P(a, b)": Query("P", variables=("a", "b")),
    "E(age | 18 <= age < 30)": Query(
        "E", variables=("age",), given=(condition("age", ">=", "18"), condition("age", "<", "30"))
    ),
    "P(30 > age)": Query("P", events=(condition("age", "<", "30"),)),
    "P(2026-05-01 <= day)": Query("P", events=(condition("day", ">=", "2026-05-01"),)),
    "P(`18` < 30)": Query("P", events=(condition("18", "<", "30"),)),
    "P(a > -1.5e-3)": Query("P", events=(condition("a", ">", "-1.5e-3"),)),
    "quantile(x, .9 | y=1)": Query(
        "quantile", variables=("x",), share=0.9, given=(condition("y", "=", "1"),)
    ),
    "odds(a=1 | b=in)": Query("odds", events=(condition("a", "=", "1"),), given=(condition("b", "=", "in"),)),
    "H(play | outlook, windy=true)": Query(
        "H", variables=("play",), averaged=("outlook",), given=(condition("windy", "=", "true"),)
    ),
    "I(x; y, z | w)": Query("I", variables=("x",), others=("y", "z"), averaged=("w",)),
    "argmax(x)": Query("argmax", variables=("x",)),
    "sd( `my age`\n|\tb = 1 )": Query("sd", variables=("my age",), given=(condition("b", "=", "1"),)),
    "P(name='O''Hara \"x\"')": Query(
        "P", events=(Condition("name", "=", (Word('O\'Hara "x"', quoted=True),)),)
    ),
    'P("yes" = `a``b`)': Query("P", events=(Condition("a`b", "=", (Word("yes", quoted=True),)),)),
    "P(a=1 or b=2, c=3)": Query(
        "P",
        events=(
            Or((condition("a", "=", "1"), condition("b", "=", "2"))),
            condition("c", "=", "3"),
        ),
    ),
    "P(a=1 or b=2 and c=3 | not d=4)": Query(
        "P",
        events=(Or((condition("a", "=", "1"), And((condition("b", "=", "2"), condition("c", "=", "3"))))),),
        given=(Not(condition("d", "=", "4")),),
    ),
    "odds((a=1 OR b=2) & NOT (c=3, 4 < d < 5))": Query(
        "odds",
        events=(
            Or((condition("a", "=", "1"), condition("b", "=", "2"))),
            Not(And((condition("c", "=", "3"), condition("d", ">", "4"), condition("d", "<", "5")))),
        ),
    ),
    "P((a=1 or (b=2 or c=or)) and (d=4 and (e=not)))": Query(
        "P",
        events=(
            Or((condition("a", "=", "1"), condition("b", "=", "2"), condition("c", "=", "or"))),
            condition("d", "=", "4"),
            condition("e", "=", "not"),
        ),
    ),
    "H(a & b | c & (d=1 or `or`=2))": Query(
        "H",
        variables=("a", "b"),
        given=(Or((condition("d", "=", "1"), condition("or", "=", "2"))),),
        averaged=("c",),
    ),
    "P(Größe=große)": Query("P", events=(condition("Größe", "=", "große"),)),
}


@pytest.mark.parametrize("text", MEANINGS)
def test_meaning(text):
    query = parse_query(text)
    assert query == MEANINGS[text]
    assert parse_query(str(query)) == query


ERRORS = {
    "": ("begin with what you ask for", 0),
    "survived=yes": ("begin with what you ask for", 0),
    "p(a=1)": ("did you mean P?", 0),
    "quantil(a, .5)": ("did you mean quantile?", 0),
    "zzz(a)": ("ask for one of P, odds, E", 0),
    "P(a=1": ("')' is missing before the end", 5),
    "P()": ("a name is missing before ')'", 2),
    "P(a=)": ("a value is missing before ')'", 4),
    "P(a=1 b=2)": ("a comma is missing before 'b'", 6),
    "P(a=x | b=1 c>2)": ("a comma is missing before 'c'", 12),
    "P(a>1 b>2)": ("a comma is missing before 'b'", 6),
    "P(a=1) x": ("'x' comes after the end", 7),
    "P(a | b)": ("'b' has no value: after the bar write b = ...; only H and I average", 6),
    "P(a=1, b)": ("'b' has no value", 7),
    "P(a, b=1)": ("'b' has a value", 5),
    "odds(a)": ("'a' has no value", 5),
    "E(a, b)": ("E is of one variable", 5),
    "quantile(a)": ("give a share between 0 and 1", 10),
    "quantile(a, 2)": ("'2' is no share", 12),
    "quantile(a, nan)": ("'nan' is no share", 12),
    "I(a)": ("two sides tell of each other", 3),
    "P(a='x)": ("the quote ' is not closed", 4),
    "P(a=`b`)": ("variables are not compared with each other", 4),
    "P('a')": ("put a name in backquotes", 2),
    "P(1 < a > 3)": ("< and > make no chain", 8),
    "P(a=b=c)": ("= and = make no chain", 5),
    "P(in=3)": ("'in' is a word of the language", 2),
    "P(a in b)": ("list the values", 7),
    "P(a in {})": ("a value is missing before '}'", 8),
    "P(a in {b)": ("close the list of values", 9),
    "P(a ^ b)": ("'^' means nothing here", 4),
    "P(a=1 or)": ("a name is missing before ')'", 8),
    "P(a or b=1)": ("'a' has no value: with or and not, write a = ...", 2),
    "P(a=1 or not b)": ("'b' has no value: with or and not, write b = ...", 13),
    "H(a | b or c=1)": ("'b' has no value", 6),
    "E(a=1 or b=2)": ("E is of variables here, and 'a' has a value", 2),
    "P(a, not b=1)": ("P is of variables here, and 'b' has a value", 5),
    "P(a=1 or (b=2 and c=3)": ("')' is missing before the end", 22),
    "P(a=1) or b=2": ("'or' comes after the end", 7),
    "P((a=1 | b=2))": ("')' is missing before '|'", 7),
    "P(or=1)": ("'or' is a word of the language", 2),
    "P(not)": ("a name is missing before ')'", 5),
    "P(" + "not " + "(" * 50 + "a=1": ("brackets and 'not' go 50 deep at most", 55),
    "P(a=1; b=2)": ("')' is missing before ';'", 5),
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors_point_at_the_place(text):
    with pytest.raises(LikelyError) as caught:
        parse_query(text)
    complaint, line, caret = str(caught.value).split("\n")
    said, place = ERRORS[text]
    assert said in complaint
    assert line == f"  {text}"
    assert caret == " " * (2 + place) + "^"


def test_a_long_question_is_shown_around_the_place():
    text = "P(" + ", ".join(f"variable{i}=1" for i in range(100)) + ", oops | b=1)"
    with pytest.raises(LikelyError) as caught:
        parse_query(text)
    _, line, caret = str(caught.value).split("\n")
    assert len(line) < 90
    assert line.startswith("  ... ")
    assert line[len(caret) - 1 :].startswith("oops")


def test_conditions_alone():
    assert parse_conditions("0.4 < theta <= 0.6, b=1") == (
        condition("theta", ">", "0.4"),
        condition("theta", "<=", "0.6"),
        condition("b", "=", "1"),
    )
    with pytest.raises(LikelyError, match="'theta' has no value: write theta = "):
        parse_conditions("theta")
    with pytest.raises(LikelyError, match="comes after the end"):
        parse_conditions("a=1 | b=2")
    with pytest.raises(LikelyError, match="give text"):
        parse_query(3)


NAMES = st.text(min_size=0, max_size=8)
WORDS = st.builds(Word, st.text(max_size=8), st.just(True)) | st.builds(
    Word, st.from_regex(r"[A-Za-z0-9_.+-]{1,6}", fullmatch=True)
)
CONDITIONS = st.one_of(
    st.builds(
        lambda v, r, w: Condition(v, r, (w,)),
        NAMES,
        st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
        WORDS,
    ),
    st.builds(lambda v, w: Condition(v, "in", tuple(w)), NAMES, st.lists(WORDS, min_size=1, max_size=3)),
)


def in_normal_form(one: object, two: object) -> object:
    """A tree of And, Or and Not in which no And is part of an And and no Or of an Or, as texts are read."""
    kind = type(one) if isinstance(one, And | Or) else Or
    other = And if kind is Or else Or
    return other((one, two if not isinstance(two, other) else Not(two)))


STATEMENTS = st.recursive(
    CONDITIONS, lambda inner: st.builds(Not, inner) | st.builds(in_normal_form, inner, inner), max_leaves=6
)
TOP = STATEMENTS.map(lambda one: Not(one) if isinstance(one, And) else one)  # a list is an And already
MANY = st.lists(TOP, min_size=1, max_size=3).map(tuple)
KNOWN = st.lists(TOP, max_size=3).map(tuple)
SOME = st.lists(NAMES, min_size=1, max_size=3).map(tuple)
QUERIES = st.one_of(
    st.builds(lambda a, e, g: Query(a, events=e, given=g), st.sampled_from(["P", "odds"]), MANY, KNOWN),
    st.builds(lambda a, v, g: Query(a, variables=v, given=g), st.sampled_from(["P", "argmax"]), SOME, KNOWN),
    st.builds(lambda a, v, g: Query(a, variables=(v,), given=g), st.sampled_from(["E", "sd"]), NAMES, KNOWN),
    st.builds(
        lambda v, s, g: Query("quantile", variables=(v,), share=s, given=g), NAMES, st.floats(0, 1), KNOWN
    ),
    st.builds(lambda v, g, z: Query("H", variables=v, given=g, averaged=z), SOME, KNOWN, st.just(()) | SOME),
    st.builds(lambda v, o, g: Query("I", variables=v, others=o, given=g), SOME, SOME, KNOWN),
)


@settings(max_examples=examples(150), deadline=None)
@given(QUERIES)
def test_every_query_can_be_written_and_read_again(query):
    assert parse_query(str(query)) == query


PIECES = [
    *MEANINGS,
    *ERRORS,
    *"=!<>(){}|,;`'\" \n\x00é",
    "and",
    "in",
    "or",
    "not ",
    "&",
    "(",
    "P(",
    "18 <= a",
    "1e999",
    "-",
    "💥",
]


def mutated(rng: random.Random) -> str:
    text = rng.choice(PIECES)
    for _ in range(rng.randrange(6)):
        at, piece = rng.randrange(len(text) + 1), rng.choice(PIECES)
        text = text[:at] + piece + text[at + rng.randrange(4) :]
    return text


def fuzz(n: int, seed: int) -> int:
    rng = random.Random(seed)
    good = 0
    for _ in range(n):
        text = mutated(rng)
        for parse in (parse_query, parse_conditions):
            try:
                found = parse(text)
            except LikelyError:
                continue
            good += 1
            if isinstance(found, Query):
                assert parse_query(str(found)) == found
    return good


def test_no_text_breaks_the_parser():
    assert fuzz(3000, seed=0) > 50


@pytest.mark.long
def test_no_text_of_many_breaks_the_parser():
    assert fuzz(100_000, seed=1) > 1000


@pytest.mark.parametrize(
    "text",
    [
        "P(" * 9_000,
        "P(a=" + "'" * 19_001,
        "P(a='" + "''" * 9_000,
        "P(" + "a=1," * 4_900 + "a=1)",
        "P(a in {" + "x," * 9_000 + "x})",
        "(" * 19_999,
        "P(" + "not " * 4_900 + "a=1)",
        "P(" + "a=1 or " * 2_800 + "a=1)",
        "1" * 19_999 + "<a",
        "P(" + "1" * 15_000 + "e" + "<a)",
    ],
    ids=["P(", "quotes", "pairs", "and", "in", "brackets", "not", "or", "number", "exponent"],
)
def test_long_texts_take_no_time(text):
    start = time.process_time()
    with contextlib.suppress(LikelyError):
        parse_query(text)
    assert time.process_time() - start < 1


def test_what_is_too_long_is_refused():
    with pytest.raises(LikelyError, match="the question has 20,003 characters"):
        parse_query("P(" + "a" * 20_000 + ")")
