"""`likely serve`: a model behind HTTP, with its page."""

from __future__ import annotations

import click

from likely.cli.command import command, model_argument


@command(
    "serve",
    after="predict",
    examples="""
likely serve titanic.likely
likely serve titanic.likely --port 0 --json
LIKELY_TOKEN=secret likely serve titanic.likely --host 0.0.0.0 --allow-host models.example.org
curl -d '{"sex": "female"}' -H 'Content-Type: application/json' http://127.0.0.1:8000/predict
""",
)
@model_argument()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 is any free.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; 0.0.0.0 is all of this machine's, and needs a token.",
)
@click.option(
    "--token",
    envvar="LIKELY_TOKEN",
    metavar="TOKEN",
    help="What requests must carry; better in the variable LIKELY_TOKEN, since others see what is typed. "
    "Default: none on this machine, else a new one, which is printed.",
)
@click.option(
    "--allow-host",
    "hosts",
    metavar="NAME",
    multiple=True,
    help="A name that the server is called by, beside localhost and numbers; may be repeated.",
)
@click.option("--about", metavar="NODE", help="Of a network: the node to predict. Default: its target.")
@click.option("--max-rows", type=click.IntRange(1), default=100_000, show_default=True, help="Of a request.")
@click.option(
    "--max-mb", type=click.FloatRange(0, min_open=True), default=16, show_default=True, help="Of a request."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=30,
    show_default=True,
    help="Seconds that a request may take to arrive, and to be answered.",
)
def run(
    model: str,
    port: int,
    host: str,
    token: str | None,
    hosts: tuple[str, ...],
    about: str | None,
    max_rows: int,
    max_mb: float,
    timeout: float,
    as_json: bool,
) -> None:
    """Answer requests with a model.

    Serves the page of MODEL at /, and to programs POST /predict (JSON or CSV), /explain, /ask and /next, GET
    /schema (OpenAPI) and /health. Only this machine can call, unless --host says otherwise; then requests
    need a token. One line of JSON a request goes to standard error, without the data. Ctrl-C, or SIGTERM,
    ends it when what was begun is answered. Needs the extra: pip install "likely[serve]".
    """
    import secrets
    import sys

    from likely import serve
    from likely.cli.work.models import load_model
    from likely.cli.work.output import show
    from likely.errors import LikelyError
    from likely.serve.guard import is_loopback

    limits = serve.RequestLimits(body=int(max_mb * 1e6), rows=max_rows, seconds=timeout)
    known = load_model(model)
    if token is not None and not token.strip():
        raise LikelyError("the token is empty: give one, or none.")
    fresh = token is None and not is_loopback(host)
    token = secrets.token_urlsafe(32) if fresh else token
    made = serve.app(known, about=about, token=token, hosts=(host, *hosts), limits=limits)
    from likely.serve import server  # which needs what `app` has asked for

    held = server.bound(host, port)
    url = server.address(held)
    words = [f"{model} is served at {url} (Ctrl-C ends it)"]
    words += [f"the token, which is the password in a browser: {token}"] if fresh else []

    def ready() -> None:
        data = {"url": url, "port": held.getsockname()[1], "model": type(known).__name__}
        show(data | ({"token": token} if fresh else {}), "\n".join(words), as_json=as_json)
        sys.stdout.flush()  # whoever waits for the address may read a pipe

    server.run(made, held, limits, ready)
