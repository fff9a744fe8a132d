"""`hookd web`: serve pages about the fleet and its decisions to a browser on this machine."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from hookd.cli.fleet.central_store import expect_extra, problems
from hookd.cli.fleet.viewer_file import read_viewer
from hookd.cli.lib import extras
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import expect_person, expect_terminal

_LIBRARIES = {
    "starlette": "starlette",
    "uvicorn": "uvicorn",
    "jinja2": "jinja2",
    "prometheus-client": "prometheus_client",
}
"""Packages of the extra `web` that the server imports, and the modules by which they are found."""

_UNIX_ORIGIN = "http://localhost"
_DEFAULT = "-"
"""Value of --fleet without a file."""


@click.command(
    epilog="""\b
    Examples:
      hookd web                    print a link, and serve until Ctrl-C
      hookd web --open             open the browser, too
      hookd web --port 4711        the same port each time, such as for ssh -L
      hookd web --allow-changes    answer permission requests in the browser
      hookd web --fleet            all hosts of a fleet, from its central store
      hookd web --socket ~/.hookd-web/sock --origin https://hookd.example.com
    """
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in the browser.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port.  [default: any free one]")
@click.option(
    "--socket",
    "socket_path",
    type=click.Path(path_type=Path),
    help="Serve on a Unix socket instead, for a reverse proxy.",
)
@click.option("--origin", metavar="URL", help="With --socket: the address that browsers use.")
@click.option("--allow-changes", is_flag=True, help="Allow changes, such as answers to requests.")
@click.option("--metrics", is_flag=True, help="Serve /metrics, for Prometheus with a token.")
@click.option(
    "--fleet",
    "viewer",
    is_flag=False,
    flag_value=_DEFAULT,
    metavar="[VIEWERFILE]",
    help="Show all hosts of a fleet, read-only.",
)
def web(  # noqa: PLR0913, PLR0917 - the options of a command
    open_browser: bool,
    port: int | None,
    socket_path: Path | None,
    origin: str | None,
    allow_changes: bool,
    metrics: bool,
    viewer: str | None,
) -> None:
    """Serve pages to a browser on this machine, until Ctrl-C.

    It listens on 127.0.0.1 only, reads the database file, and shows nothing without its link. With
    --fleet it reads the central store instead; VIEWERFILE is by default that of this machine.
    """
    if socket_path is not None and (port or open_browser):
        raise click.UsageError("--socket excludes --port and --open.")
    if origin is not None and socket_path is None:
        raise click.UsageError("--origin is for --socket.")
    if viewer is not None and (allow_changes or metrics):
        raise click.UsageError("--fleet excludes --allow-changes and --metrics: it is read-only.")
    public = _public_origin(origin or _UNIX_ORIGIN)
    extras.expect("hookd web", "web", _LIBRARIES)
    expect_person("hookd web")
    if allow_changes:
        expect_terminal("hookd web --allow-changes")
    # Imported here: only this command pays for it.
    from hookd.cli.web.policy_rows import PolicyRows  # noqa: PLC0415
    from hookd.web import server  # noqa: PLC0415
    from hookd.web.listener import ListenError  # noqa: PLC0415

    options = server.Options(
        say=click.echo,
        policies=PolicyRows(),
        port=port or 0,
        socket_path=socket_path.expanduser().absolute() if socket_path else None,
        origin=public,
        allow_changes=allow_changes,
        open_browser=open_browser,
        metrics=metrics,
        **({} if viewer is None else _central(viewer)),
    )
    try:
        server.serve(options)
    except ListenError as error:
        raise Problem(str(error), error.step) from None


def _central(viewer: str) -> dict[str, Any]:
    """Return the options of a server that shows the central store. Raise Problem."""
    expect_extra("hookd web --fleet")
    file = read_viewer(None if viewer == _DEFAULT else Path(viewer).expanduser())
    from hookd.central.viewer import Viewer  # noqa: PLC0415 - an extra
    from hookd.web.central_pages import PAGES  # noqa: PLC0415
    from hookd.web.page import Site  # noqa: PLC0415

    central = Viewer(file.address, file.password)
    with problems():  # a login that is refused is said before anybody opens the page
        tenant = central.read(lambda view: view.tenant)
    return {"central": central, "site": Site(PAGES, tenant=tenant)}


def _public_origin(origin: str) -> str:
    """Return an origin as browsers send it. Raise UsageError for anything but SCHEME://HOST."""
    parts = urlsplit(origin)
    bare = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
    if parts.scheme not in ("http", "https") or not parts.netloc or not bare:
        raise click.UsageError(
            "--origin is SCHEME://HOST[:PORT], such as https://hookd.example.com."
        )
    return f"{parts.scheme}://{parts.netloc.lower()}"
