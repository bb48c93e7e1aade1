"""A model behind HTTP: `likely serve` on a free port of this machine, asked as any program would."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

import likely


def post(url: str, said: object) -> dict:
    """The answer of a server to what is said, as JSON."""
    request = Request(url, json.dumps(said).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "titanic.likely"
    likely.NaiveBayes().fit(likely.read("titanic"), "survived").save(path)
    command = [sys.executable, "-c", "from likely.cli import main; main()", "serve", str(path)]
    server = subprocess.Popen(
        [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()  # "... is served at http://127.0.0.1:43817/ (Ctrl-C ends it)"
        url = next(word for word in line.split() if word.startswith("http"))

        woman = {"class": "1st", "sex": "female"}
        print("POST /predict", post(f"{url}predict", woman))
        ledger = post(f"{url}explain", woman)
        print("POST /explain", {part["name"]: round(part["evidence"], 2) for part in ledger["lines"]})
        print("POST /ask    ", post(f"{url}ask", {"question": "P(survived=yes | sex=female)"})["answer"])
        ranking = post(f"{url}next", {"given": {"sex": "female"}})
        print("POST /next   ", [option["name"] for option in ranking["options"]])
    finally:
        server.terminate()
        print("it ends with exit code", server.wait(20))
        server.stdout.close()
