"""HTTP servers of tests: on a free port of 127.0.0.1, in threads, until they are closed.

class Server(Loopback): …            what it keeps
class _Handler(Handler[Server]): …   what it answers; `self.owner` is the server
"""

import socket
import ssl
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, cast

T = TypeVar("T", bound="Loopback")


class Loopback:
    """A server that listens until it is closed."""

    def __init__(
        self, handler: type[BaseHTTPRequestHandler], port: int, certificate: Path | None = None
    ) -> None:
        """Start to listen.

        Args:
            handler: Answers.
            port: 0: any that is free.
            certificate: Speak TLS, with this certificate and key.
        """
        self._http = _Http(("127.0.0.1", port), handler)
        self._http.owner = self
        self._scheme = "http"
        if certificate is not None:
            self._scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Base URL for the client."""
        return f"{self._scheme}://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        """Stop listening."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: Loopback

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about clients that went away."""


class Handler(BaseHTTPRequestHandler, Generic[T]):
    """Answers for a server, quietly."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def owner(self) -> T:
        """The server."""
        return cast("T", cast("_Http", self.server).owner)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Print nothing."""

    def reset(self) -> None:
        """Break the connection off instead of closing it."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.wfile.close()
        self.connection.close()
