"""The same model on other platforms: their real clients, against the server on loopback."""

import importlib.util
import sys
from pathlib import Path

import pytest

from ingest.errors import JudgeError, UsageError
from judge.anthropic_judge import AnthropicJudge
from judge.remote.client import ApiClient
from judge.remote.platforms import Platform
from judge.remote.secrecy import scrub
from tests.judge.remote_runs import billed_tokens, kept_tokens, quick_settings, run
from tests.server import OK, ScriptedServer, Step, in_turn

SECRET = "bedrock-token-0123456789abcdef"
MODELS: dict[Platform, str] = {
    "bedrock": "anthropic.claude-haiku-4-5-20251001-v1:0",
    "vertex": "claude-haiku-4-5@20251001",
}
HAS_BOTO = importlib.util.find_spec("botocore") is not None


@pytest.fixture
def bedrock(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("AWS_BEARER_TOKEN_BEDROCK", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return monkeypatch


@pytest.fixture
def vertex(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("CLOUD_ML_REGION", "europe-west1")
    monkeypatch.setenv("ANTHROPIC_VERTEX_PROJECT_ID", "project-7")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"Authorization: Bearer {SECRET}")
    return monkeypatch


def asked_and_paid(store: Path, server: ScriptedServer, platform: Platform) -> list[str]:
    """Run twice; return the paths that were asked."""
    first = run(store, platform=platform, model=MODELS[platform])
    assert first.outcomes == ["judged"] * 3
    assert first.judge.identity.params["platform"] == platform
    assert kept_tokens(store) == billed_tokens(server) != (0, 0)
    again = run(store, platform=platform, model=MODELS[platform])
    assert (again.outcomes, again.counts.asked) == (["judged"] * 3, 0)
    assert {one.headers["authorization"].split()[0] for one in server.requests} <= {
        "Bearer",
        "AWS4-HMAC-SHA256",
    }
    return [one.path for one in server.requests]


def test_bedrock_with_a_token(tmp_path: Path, bedrock: pytest.MonkeyPatch) -> None:
    bedrock.setenv("AWS_BEARER_TOKEN_BEDROCK", SECRET)
    with ScriptedServer(in_turn(Step(status=529), OK)) as server:
        bedrock.setenv("ANTHROPIC_BEDROCK_BASE_URL", server.url)
        paths = asked_and_paid(tmp_path / "v.sqlite", server, "bedrock")
        assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"
    assert paths == ["/model/anthropic.claude-haiku-4-5-20251001-v1:0/invoke"] * 6
    assert SECRET not in scrub(f"token {SECRET}")


@pytest.mark.skipif(not HAS_BOTO, reason="boto3 signs; it comes with stagefault[bedrock]")
def test_bedrock_with_signed_requests(tmp_path: Path, bedrock: pytest.MonkeyPatch) -> None:
    bedrock.setenv("AWS_ACCESS_KEY_ID", "AKIAABCDEFGHIJKLMNOP")
    bedrock.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    with ScriptedServer(lambda *_: OK) as server:
        bedrock.setenv("ANTHROPIC_BEDROCK_BASE_URL", server.url)
        asked_and_paid(tmp_path / "v.sqlite", server, "bedrock")
        signed = server.requests[0].headers["authorization"]
        assert "AKIAABCDEFGHIJKLMNOP" in signed
        assert "/eu-central-1/bedrock/aws4_request" in signed
        assert SECRET not in str(server.requests[0].headers)


def test_vertex_with_a_token_of_the_environment(tmp_path: Path, vertex: pytest.MonkeyPatch) -> None:
    with ScriptedServer(lambda *_: OK) as server:
        vertex.setenv("ANTHROPIC_VERTEX_BASE_URL", f"{server.url}/v1")
        paths = asked_and_paid(tmp_path / "v.sqlite", server, "vertex")
    path = "/v1/projects/project-7/locations/europe-west1/publishers/anthropic/models/"
    assert paths == [f"{path}claude-haiku-4-5@20251001:rawPredict"] * 3


def test_without_a_region_nothing_is_set_up(bedrock: pytest.MonkeyPatch) -> None:
    bedrock.delenv("AWS_REGION")
    bedrock.setitem(sys.modules, "boto3", None)
    with pytest.raises(JudgeError, match=r"AWS region.*Set AWS_REGION, and AWS_BEARER_TOKEN"):
        ApiClient("m", platform="bedrock", timeout_s=1)


@pytest.mark.parametrize("platform", MODELS)
def test_what_signs_may_be_missing(
    tmp_path: Path,
    bedrock: pytest.MonkeyPatch,
    vertex: pytest.MonkeyPatch,
    platform: Platform,
) -> None:
    for name in ("boto3", "botocore", "botocore.auth", "google.auth"):
        vertex.setitem(sys.modules, name, None)
    vertex.delenv("ANTHROPIC_CUSTOM_HEADERS")
    with ScriptedServer(lambda *_: OK) as server:
        bedrock.setenv("ANTHROPIC_BEDROCK_BASE_URL", server.url)
        vertex.setenv("ANTHROPIC_VERTEX_BASE_URL", server.url)
        problem = rf"credentials for {platform} cannot be used.*stagefault\[{platform}\]"
        with pytest.raises(JudgeError, match=problem):
            run(tmp_path / "v.sqlite", platform=platform, model=MODELS[platform])
        assert server.requests == []


@pytest.mark.parametrize("platform", MODELS)
def test_other_platforms_have_no_batches(platform: Platform) -> None:
    with pytest.raises(UsageError, match=f"{platform} has no batches"):
        AnthropicJudge(quick_settings(platform=platform, batch=True, model=MODELS[platform]))
