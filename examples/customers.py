"""How the bundled table `customers` was made up: nobody in it lives. python examples/customers.py [FILE]

Who leaves is decided by a few rules and chance, and then the table is made as messy as tables are: cells are
missing, some because of what stands elsewhere in the row; unknown ages are written as 999; a column is the
same everywhere, another names the rows, and one is free text.
"""

import csv
import math
import random
import sys
from datetime import date, timedelta
from pathlib import Path

ROWS = 400
COMPLAINTS = {
    "price": ["too expensive for what it is", "the price went up again", "found a cheaper offer"],
    "service": ["nobody answers the phone", "waited two weeks for an answer", "support was rude"],
    "fine": ["all good so far", "works as promised", "happy with the service", "no complaint"],
}


def row(number, rng):
    """One customer."""
    plan = rng.choices(["basic", "plus", "pro"], [5, 3, 2])[0]
    age = min(max(round(rng.gauss(45, 15)), 18), 90)
    price = {"basic": 9.0, "plus": 24.0, "pro": 60.0}[plan]
    monthly = round(price * math.exp(rng.gauss(0, 0.35)), 2)
    visits = sum(rng.random() < 0.3 for _ in range({"basic": 8, "plus": 14, "pro": 20}[plan]))
    days = rng.randrange(30, 1800)
    newsletter = rng.random() < 0.4
    mood = rng.choices(["price", "service", "fine"], [2 if monthly > price else 1, 1.2, 3])[0]
    score = -0.6 + 1.4 * (mood == "price") + 1.8 * (mood == "service") - 0.28 * visits - 0.0006 * days
    score += 0.9 * (plan == "basic") - 0.7 * newsletter + 0.02 * (45 - age) + 1.0
    left = rng.random() < 1 / (1 + math.exp(-score))
    told = rng.random() < (0.75 if mood != "fine" else 0.3)  # the content write less often
    return {
        "customer": f"C{number:04d}",
        "joined": (date(2025, 12, 31) - timedelta(days=days)).isoformat(),
        "plan": plan,
        "age": 999 if rng.random() < 0.04 else age,
        "monthly_eur": "" if rng.random() < 0.08 else monthly,
        "visits": visits,
        "newsletter": rng.choices(["", "Yes" if newsletter else "No"], [3, 97])[0],
        "region": rng.choice(["north", "south", "east", "west", "NA"]),
        "country": "NL",
        "complaint": rng.choice(COMPLAINTS[mood]) if told else "",
        "left": "yes" if left else "no",
    }


def table(rows=ROWS, seed=17):
    """All of them: the same for the same seed, on every machine."""
    rng = random.Random(seed)
    return [row(number, rng) for number in range(1, rows + 1)]


def write(path):
    """The table as a CSV file."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        rows = table()
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    rows = table()
    gone = sum(one["left"] == "yes" for one in rows)
    print(f"{len(rows)} customers who never lived, {gone} of whom have left")
    if len(sys.argv) > 1 and sys.argv[1].endswith(".csv"):
        write(sys.argv[1])
