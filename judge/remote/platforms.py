"""Whose service runs the model, and how a client of it comes to its key.

The client's own retries and spans are off. The key comes from the environment, is read by
the client alone, and stands in no message of ours.
"""

from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from ingest.errors import JudgeError, UsageError
from judge.remote.secrecy import scrub

if TYPE_CHECKING:
    from anthropic import Anthropic

Platform: TypeAlias = Literal["anthropic", "bedrock", "vertex"]
"""Whose service runs the model; the latter two know no batches and take their own keys."""
PLATFORMS: Final[tuple[Platform, ...]] = ("anthropic", "bedrock", "vertex")

PLACE: Final = "--judge anthropic"
SHOWN: Final = 200
"""Characters of an error of others that a message repeats."""
REMEDIES: Final[Mapping[Platform, str]] = {
    "anthropic": "Set ANTHROPIC_API_KEY",
    "bedrock": "Set AWS_REGION, and AWS_BEARER_TOKEN_BEDROCK or what boto3 signs with "
    "(pip install 'stagefault[bedrock]')",
    "vertex": "Set CLOUD_ML_REGION and ANTHROPIC_VERTEX_PROJECT_ID, and log in with gcloud "
    "(pip install 'stagefault[vertex]')",
}


def client_of(platform: Platform, timeout_s: float) -> "Anthropic":
    """Return the client of a platform, set up from the environment; opens no connection.

    Args:
        platform: Whose service runs the model.
        timeout_s: Seconds that a request may take.

    Raises:
        JudgeError: There is no key in the environment, or the client cannot be set up.
    """
    import anthropic

    options: dict[str, Any] = {"max_retries": 0, "timeout": timeout_s, "open_telemetry": False}
    try:
        match platform:
            case "bedrock":
                made: Any = anthropic.AnthropicBedrock(**options)
            case "vertex":
                made = anthropic.AnthropicVertex(**options)
            case _:
                made = anthropic.Anthropic(**options)
                if not (made.api_key or made.auth_token or made.credentials):
                    raise JudgeError(PLACE, "there is no key", "Set ANTHROPIC_API_KEY.")
    except anthropic.CredentialsError:
        raise JudgeError(PLACE, "there is no key", "Set ANTHROPIC_API_KEY.") from None
    except (anthropic.AnthropicError, ImportError, ValueError) as error:
        detail = " ".join(scrub(str(error)).split())[:SHOWN]
        remedy = f"{REMEDIES[platform]}."
        raise JudgeError(PLACE, f"cannot be set up ({detail})", remedy) from None
    client: Anthropic = made
    return client


def credential_errors() -> tuple[type[Exception], ...]:
    """Return what other platforms raise when they cannot sign a request."""
    import anthropic

    found: list[type[Exception]] = [anthropic.AnthropicError, RuntimeError, ImportError]
    with suppress(ImportError):
        found.append(import_module("botocore.exceptions").BotoCoreError)
    with suppress(ImportError):
        found.append(import_module("google.auth.exceptions").GoogleAuthError)
    return tuple(found)


def refuse_key_in(name: str, value: str | None) -> None:
    """Refuse a key on the command line, where every process of the machine can read it.

    Raises:
        UsageError: The value looks like a key; it is not repeated.
    """
    if value is not None and scrub(value) != value:
        raise UsageError(name, "looks like a key", "Set ANTHROPIC_API_KEY instead.")
