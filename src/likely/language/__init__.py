"""The text of a question -> a query: `P(survived=yes | sex=female)`. Knows no model.

Values stay the words that were written: what they mean is for the model to say.

Conditions are joined by `and` (a comma, &), `or` and `not`, with brackets.

>>> query = parse_query("P(survived=yes | 18 <= age < 30)")
>>> query.given[0]
Condition(variable='age', relation='>=', words=(Word(text='18', quoted=False),))
>>> str(query)
'P(survived = yes | age >= 18, age < 30)'
"""

from likely.language.parser import parse_conditions, parse_query
from likely.language.query import And, Condition, Not, Or, Query, Statement, Word

__all__ = ["And", "Condition", "Not", "Or", "Query", "Statement", "Word", "parse_conditions", "parse_query"]
