"""What can be asked of a served model, as an OpenAPI 3.1 document."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from likely.format.words import json_ready
from likely.serve.limits import RequestLimits
from likely.serve.served import Served
from likely.serve.work import CSV, JSON, LINES
from likely.table.column.column import Column
from likely.table.column.kinds import Kind, Type

Node = dict[str, Any]
MOST_LEVELS = 100  # of a column that are listed
_TIMES = {Type.DATE: "date", Type.DATETIME: "date-time", Type.TIME: "time"}
_REFUSED = {
    "400": "The body cannot be read.",
    "401": "The token is missing or wrong.",
    "403": "The request comes from a page of another server.",
    "408": "The body took too long to arrive.",
    "413": "The body is too large, or has too many rows.",
    "415": "The body is of a form that is not read here.",
    "421": "The server is not called by this name.",
    "422": "The body says what the model cannot use: column, value and remedy are in `detail`.",
    "503": "The server is busy, or the answer takes too long.",
}


def document(served: Served, limits: RequestLimits) -> Node:
    """The whole document."""
    paths: Node = {
        "/predict": {"post": _predict(served, limits)},
        "/health": {"get": _get("Whether the server is up", {"type": "object"})},
        "/schema": {"get": _get("This document", {"type": "object"})},
        "/": {"get": {**_get("The page of the model", {}), "responses": _page()}},
    }
    for name, path, operation in (
        ("explain", "/explain", _explain(served, limits)),
        ("ask", "/ask", _ask()),
        ("next_question", "/next", _next(served)),
    ):
        if name in served.able:
            paths[path] = {"post": operation}
    about = f" of {served.target}" if served.target else ""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"{served.kind}{about}",
            "version": import_module("likely").__version__,
            "description": "Predictions of a fitted model and the evidence behind them.",
        },
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {
                "Row": row_schema(served),
                "Prediction": _prediction(served),
                "Problem": _problem(),
            },
            "responses": {
                f"Refused{status}": {
                    "description": said,
                    "content": {"application/problem+json": {"schema": _ref("Problem")}},
                }
                for status, said in _REFUSED.items()
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "password": {"type": "http", "scheme": "basic", "description": "The token is the password."},
            },
        },
        "security": [{}, {"bearer": []}, {"password": []}],
    }


def row_schema(served: Served) -> Node:
    """A row: any of the columns of the model, each of its kind; what is not named is missing."""
    return {
        "type": "object",
        "description": "A row. What is not named, or null, is missing and adds no evidence.",
        "properties": {column.name: column_schema(column) for column in served.schema.columns},
    }


def column_schema(column: Column) -> Node:
    """What a cell may hold.

    >>> from likely.table.column.as_raw import as_raw
    >>> column_schema(Column.learn(as_raw("age", [31.5, 4.0])))
    {'type': ['number', 'null'], 'description': 'quantitative'}
    """
    unit = f", {column.unit}" if column.unit and column.type is Type.DURATION else ""
    said: Node = {"description": f"{column.kind}{unit}"}
    if column.type in _TIMES and not column.has_levels:
        return {"type": ["string", "null"], "format": _TIMES[column.type], **said}
    if column.has_levels:
        known = [json_ready(level) for level in column.known]
        types = sorted({_type_of(level) for level in known}) or ["string"]
        more = ", ..." if len(known) > MOST_LEVELS else ""
        said["description"] += f": one of {len(known)} levels; others add no evidence{more}"
        return {"type": [*types, "null"], **said, "examples": known[:MOST_LEVELS]}
    if column.kind is Kind.TEXT:
        return {"type": ["string", "null"], **said}
    if column.kind is Kind.BOOLEAN:
        return {"type": ["boolean", "number", "null"], **said}
    return {"type": ["number", "null"], **said}


def _type_of(level: object) -> str:
    if isinstance(level, bool):
        return "boolean"
    return "number" if isinstance(level, int | float) else "string"


def _ref(name: str) -> Node:
    return {"$ref": f"#/components/schemas/{name}"}


def _prediction(served: Served) -> Node:
    if hasattr(served.model, "expected_costs"):
        own: Node = {"decision": {"description": "What to do; null is to leave the row alone."}}
        own["expected_cost"] = {"type": "number"}
    elif served.classes or served.network:
        own = {"prediction": {"description": "The most probable class."}}
        chance = {"type": "number", "minimum": 0, "maximum": 1 + 1e-9}
        own["probabilities"] = {"type": "object", "additionalProperties": chance}
    else:
        number = {"type": ["number", "string", "null"]}
        own = {"prediction": number, "lower": number, "upper": number}
    return {"type": "object", "properties": {**own, "notes": _notes()}, "required": list(own)[:1]}


def _notes() -> Node:
    return {"type": "array", "items": {"type": "string"}, "description": "What deserves a look."}


def _problem() -> Node:
    texts = {name: {"type": "string"} for name in ("type", "title", "detail")}
    return {
        "type": "object",
        "properties": {**texts, "status": {"type": "integer"}},
        "required": ["title", "status", "detail"],
    }


def _responses(answer: Node) -> Node:
    refused = {status: {"$ref": f"#/components/responses/Refused{status}"} for status in _REFUSED}
    return {"200": answer, **refused}


def _get(summary: str, schema: Node) -> Node:
    answer = {"description": summary, "content": {JSON: {"schema": schema}}}
    return {"summary": summary, "responses": _responses(answer)}


def _page() -> Node:
    return _responses({"description": "The page", "content": {"text/html": {"schema": {"type": "string"}}}})


def _parameter(name: str, said: str, schema: Node) -> Node:
    return {"name": name, "in": "query", "required": False, "description": said, "schema": schema}


def _about(served: Served, *, needed: bool = True) -> list[Node]:
    if not served.network:
        return []
    names = {"type": "string", "examples": list(served.model.record_.names)[:MOST_LEVELS]}
    parameter = _parameter("about", "The node of the network that is asked about.", names)
    return [{**parameter, "required": needed and served.target is None}]


def _rows(limit: int) -> Node:
    return {
        "oneOf": [_ref("Row"), {"type": "array", "items": _ref("Row"), "maxItems": limit}],
    }


def _predict(served: Served, limits: RequestLimits) -> Node:
    probability = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.9}
    level = _parameter("level", "The probability that intervals of numbers cover the truth.", probability)
    text = {"schema": {"type": "string"}}
    all_of_them = {"predictions": {"type": "array", "items": _ref("Prediction")}, "notes": _notes()}
    many = {"type": "object", "properties": all_of_them, "required": ["predictions"]}
    answers = {JSON: {"schema": {"anyOf": [_ref("Prediction"), many]}}, LINES: text, CSV: text}
    return {
        "summary": "Predict rows",
        "description": f"A record, an array of records, JSON lines or CSV, of at most {limits.rows} rows and "
        f"{limits.body} bytes. The answer is of the same form, or of that in `Accept`.",
        "parameters": [*_about(served), level],
        "requestBody": {
            "required": True,
            "content": {JSON: {"schema": _rows(limits.rows)}, LINES: text, CSV: text},
        },
        "responses": _responses({"description": "The predictions", "content": answers}),
    }


def _explain(served: Served, limits: RequestLimits) -> Node:
    word = {"type": "string"}
    favoured = _parameter("for", "The class to explain. Default: the most probable.", word)
    against = _parameter("against", "The class to weigh it against. Default: the next probable.", word)
    ledger = {"description": "The ledger, whose lines sum", "content": {JSON: {"schema": {"type": "object"}}}}
    return {
        "summary": "The evidence behind a prediction",
        "parameters": [*_about(served), *([favoured, against] if served.classes or served.network else [])],
        "requestBody": {"required": True, "content": {JSON: {"schema": _rows(limits.explained)}}},
        "responses": _responses(ledger),
    }


def _body(properties: Node, required: list[str]) -> Node:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"required": True, "content": {JSON: {"schema": schema}}}


def _ask() -> Node:
    question = {"type": "string", "examples": ["P(a=x | b=y)"], "minLength": 1}
    answer = {"description": "The answer", "content": {JSON: {"schema": {"type": "object"}}}}
    return {
        "summary": "A question in the notation of probability",
        "requestBody": _body({"question": question}, ["question"]),
        "responses": _responses(answer),
    }


def _next(served: Served) -> Node:
    costs = {"type": "object", "additionalProperties": {"type": "number", "exclusiveMinimum": 0}}
    ranking = {"description": "The columns, best first", "content": {JSON: {"schema": {"type": "object"}}}}
    return {
        "summary": "Which column to ask about next",
        "parameters": _about(served),
        "requestBody": _body({"given": _ref("Row"), "costs": costs}, []),
        "responses": _responses(ranking),
    }
