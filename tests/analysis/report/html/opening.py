"""A page in a real browser, with everything it complains about or asks the network for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final, Literal
from urllib.parse import quote, unquote

from playwright.sync_api import Browser, Page

READY: Final = "html[data-ready=yes]"
TOLD: Final = ".chain, .story > .panel"
"""Waiting is for elements: waiting for an expression would break the page's policy."""

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}

_WATCH = """
window.complaints = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.complaints.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


@dataclass(slots=True)
class Opened:
    """A page and what happened in it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def visit(self, address: str, *, ready: bool = True) -> None:
        """Open an address anew and wait until its script has taken over."""
        self.page.goto("about:blank")
        for one in (self.errors, self.requests):
            one.clear()
        self.page.goto(address)
        if ready:
            self.page.wait_for_selector(READY, state="attached")

    def show(self, view: str) -> None:
        """Go to a view by its hash, as a person who edits the address."""
        self.page.evaluate(
            """hash => new Promise(done => {
                if (location.hash === hash) return done();
                addEventListener("hashchange", () => setTimeout(done), { once: true });
                location.hash = hash;
            })""",
            view,
        )

    def story(self, view: str) -> None:
        """Go to a turn and wait until its body is there."""
        self.show(view)
        self.page.wait_for_selector(TOLD)

    def reload(self) -> None:
        """Load the page again, and wait for its script."""
        self.page.reload()
        self.page.wait_for_selector(READY, state="attached")

    def text(self, selector: str) -> str:
        """Return the text of the first match as it is seen."""
        return self.page.locator(selector).first.inner_text()

    def texts(self, selector: str) -> list[str]:
        """Return the text of every match."""
        return self.page.locator(selector).all_inner_texts()

    @property
    def hash(self) -> str:
        """What the address says."""
        return str(self.page.evaluate("location.hash"))

    def assert_clean(self) -> None:
        """Fail when the page logged an error or broke its policy."""
        assert self.errors == []
        assert self.page.evaluate("window.complaints") == []


@contextmanager
def opened(
    browser: Browser,
    address: str,
    *,
    ready: bool = True,
    width: int = 1400,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Opened]:
    """Open an address and wait until its script has taken over."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.add_init_script(_WATCH)
    found = Opened(page)
    page.on("console", lambda one: found.errors.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    page.on("request", lambda one: found.requests.append(one.url))
    found.visit(address, ready=ready)
    try:
        yield found
    finally:
        context.close()


@contextmanager
def served(page: Path, policy: str) -> Iterator[str]:
    """Serve the folder of a page over loopback under a policy; yields the page's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Folder, page.parent, policy))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/{quote(page.name)}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Folder(BaseHTTPRequestHandler):
    def __init__(self, folder: Path, policy: str, *args: object) -> None:
        self._folder, self._policy = folder, policy
        super().__init__(*args)  # type: ignore[arg-type]  # as the server calls it

    def do_GET(self) -> None:
        path = self._folder / unquote(self.path.lstrip("/"))
        found = path.is_file()
        self.send_response(200 if found else 204)
        self.send_header("Content-Type", _TYPES.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Security-Policy", self._policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if found:
            self.wfile.write(path.read_bytes())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base names it
        """Stay silent."""
