"""One request, until it is answered or given up."""

import dataclasses
import gzip
import socket
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.exporting.endpoint import endpoint_of
from analysis.exporting.otlp_records import request_body
from analysis.exporting.posting import Patience, Receiver
from ingest.errors import DeliveryError, UsageError
from tests.analysis.exporting.runs import QUICK, receiving, run_of
from tests.receiver import (
    ACCEPT,
    CERTIFICATE,
    ScriptedReceiver,
    Step,
    reset_after,
    reset_before,
    status,
)

CA = "OTEL_EXPORTER_OTLP_CERTIFICATE"


@pytest.fixture
def body(tmp_path: Path) -> bytes:
    return request_body(run_of(tmp_path, 0), [])


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a port where nobody listens."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


@pytest.mark.parametrize(
    ("number", "asked", "at_least", "at_most"),
    [
        pytest.param(429, {"retry_after": "7"}, 7.0, 7.0005, id="429 with seconds"),
        pytest.param(503, {"retry_after": "0"}, 0.0, 0.0005, id="503 at once"),
        pytest.param(502, {}, 0.0005, 0.002, id="502"),
        pytest.param(504, {"retry_after": "soon"}, 0.0005, 0.002, id="504, no number"),
    ],
)
def test_a_wait_is_as_long_as_asked_for(
    body: bytes, number: int, asked: dict[str, str], at_least: float, at_most: float
) -> None:
    waits: list[float] = []
    told: list[str] = []
    script = [status(number, "busy", **asked)] * 2
    with (
        ScriptedReceiver(script) as server,
        receiving(server.url, waits, tell_wait=lambda why, _: told.append(why)) as client,
    ):
        outcome = client.post(body)
    assert (outcome.kind, client.retries) == ("accepted", 2)
    assert all(at_least <= wait <= at_most for wait in waits)
    assert len(waits) == len(told) == 2
    assert told[0].endswith(": busy")


def test_waits_grow_up_to_a_bound_and_differ(body: bytes) -> None:
    waits: list[float] = []
    patience = Patience(tries=8, first_wait_s=1.0, longest_wait_s=8.0)
    with (
        ScriptedReceiver([status(503)] * 7) as server,
        receiving(server.url, waits, patience=patience) as client,
    ):
        assert client.post(body).kind == "accepted"
    for wait, most in zip(waits, [1, 2, 4, 8, 8, 8, 8], strict=True):
        assert most / 2 <= wait <= most
    assert len(set(waits)) == 7


def test_a_receiver_that_stays_away_is_given_up(body: bytes) -> None:
    with ScriptedReceiver([status(503, "down")] * 9) as server, receiving(server.url) as client:
        outcome = client.post(body)
        assert len(server.posts) == 4
    assert isinstance(outcome.error, DeliveryError)
    assert outcome.error.exit_code == 7
    assert "was tried 4 times in vain (503 Service Unavailable: down)" in str(outcome.error)
    assert not outcome.in_doubt


def test_nobody_listens(body: bytes, silent: str) -> None:
    waits: list[float] = []
    with receiving(silent, waits) as client:
        outcome = client.post(body)
    assert str(outcome.error) == (
        f"{silent}/v1/logs: was tried 2 times in vain (Connection refused). "
        "Check the address, and that it listens."
    )
    assert (outcome.kind, outcome.in_doubt, len(waits)) == ("undelivered", False, 1)


@pytest.mark.parametrize(
    ("script", "in_doubt"),
    [
        pytest.param([ACCEPT], False, id="at once"),
        pytest.param([status(503), ACCEPT], False, id="refused first"),
        pytest.param([reset_after(), ACCEPT], True, id="kept without a word"),
        pytest.param([reset_before(), ACCEPT], True, id="read without a word"),
        pytest.param([status(504), ACCEPT], True, id="lost behind a gateway"),
        pytest.param([reset_after(), status(503), ACCEPT], True, id="lost, then refused"),
        pytest.param([status(502), status(429), ACCEPT], True, id="lost behind it, then refused"),
    ],
)
def test_what_may_have_been_kept_before_is_in_doubt(
    body: bytes, script: list[Step], *, in_doubt: bool
) -> None:
    with ScriptedReceiver(script) as server, receiving(server.url) as client:
        outcome = client.post(body)
    assert (outcome.kind, outcome.in_doubt) == ("accepted", in_doubt)


@pytest.mark.parametrize(
    ("script", "in_doubt"),
    [
        pytest.param([status(401)], False, id="unwelcome"),
        pytest.param([reset_after(), status(401)], True, id="lost, then unwelcome"),
        pytest.param([status(503)] * 4, False, id="refused"),
        pytest.param([status(503), reset_after(), status(503), status(503)], True, id="lost once"),
    ],
)
def test_what_is_given_up_may_have_been_kept(
    body: bytes, script: list[Step], *, in_doubt: bool
) -> None:
    patience = dataclasses.replace(QUICK, first_tries=4)
    with (
        ScriptedReceiver(script) as server,
        receiving(server.url, patience=patience) as client,
    ):
        outcome = client.post(body)
    assert (outcome.kind, outcome.in_doubt, outcome.answer) == ("undelivered", in_doubt, None)


def test_a_receiver_that_does_not_answer_in_time(body: bytes) -> None:
    patience = dataclasses.replace(QUICK, answer_s=0.05)
    with (
        ScriptedReceiver([Step(delay_s=1.0)] * 9) as server,
        receiving(server.url, patience=patience) as client,
    ):
        outcome = client.post(body)
    assert "was tried 2 times in vain (no answer in time)" in str(outcome.error)
    assert outcome.in_doubt


def test_a_redirect_is_not_followed(body: bytes) -> None:
    with ScriptedReceiver() as other:
        script = [status(307, location=f"{other.url}/v1/logs?key=s3cr3t")]
        with ScriptedReceiver(script) as server, receiving(server.url) as client:
            outcome = client.post(body)
        assert other.posts == []
    assert isinstance(outcome.error, UsageError)
    assert "redirect (307 Temporary Redirect), which is not followed" in str(outcome.error)
    assert "s3cr3t" not in str(outcome.error)


def test_tls_by_an_authority_that_is_named(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    with ScriptedReceiver(tls=True) as server:
        with receiving(server.url) as client:
            outcome = client.post(body)
        assert isinstance(outcome.error, UsageError)
        assert "no connection by TLS (self-signed certificate)" in str(outcome.error)
        assert (client.retries, server.posts) == (0, [])
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", __file__)  # which holds no certificate
        trusted = endpoint_of(server.url, {CA: str(CERTIFICATE)})
        with receiving(server.url, endpoint=trusted) as client:
            assert client.post(body).kind == "accepted"


def test_tls_with_who_does_not_speak_it(body: bytes, tmp_path: Path) -> None:
    with ScriptedReceiver() as server:
        address = server.url.replace("http:", "https:")
        with receiving(address) as client:
            assert "no connection by TLS (" in str(client.post(body).error)
        junk = tmp_path / "ca.pem"
        junk.write_text("no certificate")
        with receiving(address, endpoint=endpoint_of(address, {CA: str(junk)})) as client:
            assert isinstance(client.post(body).error, UsageError)


def test_a_netrc_takes_no_headers_place(
    body: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login ada password wrong\n")
    monkeypatch.setenv("NETRC", str(netrc))
    headers = {"OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer t,content-type=x,expect=y"}
    with ScriptedReceiver() as server:
        endpoint = endpoint_of(server.url, headers)
        with receiving(server.url, endpoint=endpoint, user_agent="stagefault/9") as client:
            assert client.post(body).kind == "accepted"
        (post,) = server.posts
    assert (post.headers["authorization"], post.headers["user-agent"]) == (
        "Bearer t",
        "stagefault/9",
    )
    assert post.headers["content-type"] == "application/x-protobuf"
    assert "expect" not in post.headers
    assert "Bearer t" not in repr(client)


def test_a_proxy_that_is_none(body: bytes, silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", silent.replace("//", "//ada:s3cr3t@"))
    monkeypatch.setenv("http_proxy", silent.replace("//", "//ada:s3cr3t@"))
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    client = Receiver(endpoint=endpoint_of("http://h.invalid", {}), sleep=lambda _: None)
    outcome = client.post(body)
    client.close()
    assert isinstance(outcome.error, DeliveryError)
    assert "s3cr3t" not in str(outcome.error)
    assert not outcome.in_doubt


@pytest.mark.parametrize(
    ("answer", "headers"),
    [
        pytest.param(b"{" + b" " * (8 << 20), {"content-type": "application/json"}, id="endless"),
        pytest.param(
            gzip.compress(b"{" + b" " * (64 << 20)), {"content-encoding": "gzip"}, id="bomb"
        ),
    ],
)
def test_of_an_answer_only_the_beginning_is_read(
    body: bytes, answer: bytes, headers: dict[str, str]
) -> None:
    script = [Step(body=answer, headers=headers)]
    with ScriptedReceiver(script) as server, receiving(server.url) as client:
        tracemalloc.start()
        outcome = client.post(body)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert outcome.answer is not None
        assert (outcome.kind, outcome.answer.readable) == ("accepted", False)
        assert most < 24 << 20  # the server's own part of it included
        assert client.post(body).kind == "accepted"


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(Step(headers={"content-length": "50"}), id="cut"),
        pytest.param(Step(headers={"content-length": "1, 2"}), id="two lengths"),
        pytest.param(Step(headers={"content-encoding": "gzip"}, body=b"no gzip"), id="not packed"),
        pytest.param(Step(headers={f"x-{n}": "y" for n in range(200)}), id="too many headers"),
        pytest.param(Step(headers={"x": "y" * 70_000}), id="too long a header"),
        pytest.param(Step(status=1000), id="no status"),
    ],
)
def test_an_answer_that_cannot_be_read_is_none(body: bytes, step: Step) -> None:
    with ScriptedReceiver([ACCEPT, step, ACCEPT]) as server, receiving(server.url) as client:
        client.post(body)
        outcome = client.post(body)
    assert (outcome.kind, outcome.in_doubt, client.retries) == ("accepted", True, 1)
