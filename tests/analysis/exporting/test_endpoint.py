"""Where an export goes, and that no message shows a secret of it."""

import re
from pathlib import Path

import pytest

from analysis.exporting.endpoint import endpoint_of
from ingest.errors import UsageError

BASE, LOGS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"
HEADERS, LOGS_HEADERS = "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_LOGS_HEADERS"
SECRET = "s3cr3t-s3cr3t"


@pytest.mark.parametrize(
    ("given", "environ", "url"),
    [
        pytest.param("http://h:4318", {}, "http://h:4318/v1/logs", id="base"),
        pytest.param("http://h:4318/", {}, "http://h:4318/v1/logs", id="base with a slash"),
        pytest.param("https://H/otlp/", {}, "https://h/otlp/v1/logs", id="path"),
        pytest.param("http://h/v1/logs", {}, "http://h/v1/logs", id="whole"),
        pytest.param("HTTP://[::1]:80", {}, "http://[::1]:80/v1/logs", id="IPv6"),
        pytest.param(" http://h ", {}, "http://h/v1/logs", id="blanks"),
        pytest.param("http://h:1", {}, "http://h:1/v1/logs", id="the first port"),
        pytest.param("http://h", {BASE: "http://x"}, "http://h/v1/logs", id="option first"),
        pytest.param(None, {BASE: "http://h/"}, "http://h/v1/logs", id="base of the environment"),
        pytest.param(None, {LOGS: "http://h/in", BASE: "http://x"}, "http://h/in", id="of logs"),
        pytest.param(None, {LOGS: "http://h"}, "http://h/", id="of logs, as it is"),
        pytest.param(None, {LOGS: "", BASE: "http://h"}, "http://h/v1/logs", id="empty is unset"),
    ],
)
def test_addresses(given: str | None, environ: dict[str, str], url: str) -> None:
    assert endpoint_of(given, environ).url == url


@pytest.mark.parametrize(
    ("address", "told"),
    [
        pytest.param("h:4318", "'h:4318' is no HTTP address", id="no scheme"),
        pytest.param("ftp://h", "'ftp://h' is no HTTP address", id="another scheme"),
        pytest.param("http://:80", "'http://:80' is no HTTP address", id="no host"),
        pytest.param("http://h:0", "'http://h:0' is no HTTP address", id="port 0"),
        pytest.param("http://h:99999", "'http://h:99999' is no HTTP address", id="no such port"),
        pytest.param("http://h/a b", "'http://h/a b' is no HTTP address", id="blank within"),
        pytest.param("http://a@h:x", "'http://***@h:x' is no HTTP address", id="user, no port"),
        pytest.param("a@h", "'***@h' is no HTTP address", id="user, no scheme"),
        pytest.param("http://a:b@h", "http://***@h holds a password", id="password"),
        pytest.param("http://h/?k=v", "http://h/?*** has a query", id="query"),
        pytest.param("", "has no address", id="empty"),
        pytest.param(None, "has no address", id="none"),
    ],
)
def test_what_is_no_address(address: str | None, told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        endpoint_of(address, {})


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(f"http://ada:{SECRET}@h", id="password"),
        pytest.param(f"http://{SECRET}@h", id="user"),
        pytest.param(f"http://ada:p/{SECRET}@h", id="password with a slash"),
        pytest.param(f"http://ada:a://{SECRET}@h", id="password like an address"),
        pytest.param(f"ada:{SECRET}@h", id="no scheme"),
        pytest.param(f"ftp://ada:{SECRET}@h", id="another scheme"),
        pytest.param(f"http://ada:{SECRET}@h:port", id="port in words"),
        pytest.param(f"http://h/?key={SECRET}", id="query"),
        pytest.param(f"http://h/#{SECRET}", id="fragment"),
        pytest.param(f"http://ada:{SECRET}@[::1", id="half an address"),
        pytest.param(f"http://ada:{SECRET}@h\r\nx", id="two lines"),
        pytest.param(f"http://ada:{SECRET}@", id="no host"),
    ],
)
def test_no_refusal_repeats_a_secret(address: str) -> None:
    with pytest.raises(UsageError) as told:
        endpoint_of(address, {})
    assert SECRET not in str(told.value)
    assert SECRET not in repr(told.value)
    assert told.value.place == "--endpoint"


def test_the_environment_may_hold_a_password() -> None:
    found = endpoint_of(None, {BASE: f"https://ada:{SECRET}%2F@h"})
    assert (found.url, found.basic) == ("https://h/v1/logs", ("ada", f"{SECRET}/"))
    assert SECRET not in repr(found)
    assert found.without_secrets(f"no {SECRET}/ here") == "no [secret] here"
    assert endpoint_of(None, {BASE: "https://ada@h"}).basic == ("ada", "")


@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        pytest.param({}, {}, id="none"),
        pytest.param({HEADERS: "A=b"}, {"a": "b"}, id="one"),
        pytest.param({HEADERS: " a = b%20c , d=e=f ,"}, {"a": "b c", "d": "e=f"}, id="two"),
        pytest.param({HEADERS: "a=Basic Zg=="}, {"a": "Basic Zg=="}, id="not encoded"),
        pytest.param({HEADERS: "a=b,c=d", LOGS_HEADERS: "a=x"}, {"a": "x", "c": "d"}, id="of logs"),
        pytest.param({HEADERS: "a=b,,c=d"}, {"a": "b", "c": "d"}, id="empty entry"),
        pytest.param({HEADERS: "a="}, {"a": ""}, id="empty value"),
    ],
)
def test_headers(environ: dict[str, str], headers: dict[str, str]) -> None:
    assert endpoint_of("http://h", environ).headers == headers


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SECRET, id="no name"),
        pytest.param(f"a b={SECRET}", id="blank in a name"),
        pytest.param(f"={SECRET}", id="empty name"),
        pytest.param(f"a={SECRET}%0d%0ax: y", id="two lines"),
        pytest.param(f"a={SECRET}%E2%82%AC", id="not of HTTP"),
    ],
)
def test_what_is_no_header_is_named_by_its_number(text: str) -> None:
    with pytest.raises(UsageError, match="its entry 2 is no header") as told:
        endpoint_of("http://h", {HEADERS: f"x=y,{text}"})
    assert told.value.place == HEADERS
    assert SECRET not in str(told.value)


def test_a_message_that_repeats_a_header(tmp_path: Path) -> None:
    found = endpoint_of("http://h", {HEADERS: f"authorization=Bearer {SECRET},x=ab,y={SECRET}-2"})
    assert found.without_secrets(f"Bearer {SECRET}") == "[secret]"
    assert found.without_secrets(f"{SECRET}-2 {SECRET} ab") == "[secret] [secret] ab"
    assert found.without_secrets("Bearer token missing") == "Bearer token missing"
    assert SECRET not in repr(found)
    found = endpoint_of("http://h", {HEADERS: "x=abc,y=defg"})
    assert found.without_secrets("abc defg") == "abc [secret]"


def test_certificates(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.touch()
    prefix = "OTEL_EXPORTER_OTLP_"
    given = {prefix + "CERTIFICATE": str(file), prefix + "LOGS_CLIENT_CERTIFICATE": str(file)}
    found = endpoint_of("https://h", given)
    assert (found.authorities, found.certificate) == (str(file), str(file))
    found = endpoint_of("https://h", {**given, prefix + "CLIENT_KEY": str(file)})
    assert found.certificate == (str(file), str(file))
    assert endpoint_of("https://h", {prefix + "CLIENT_KEY": str(file)}).certificate is None
    with pytest.raises(UsageError, match="there is no file"):
        endpoint_of("https://h", {prefix + "CERTIFICATE": str(tmp_path / "gone.pem")})
