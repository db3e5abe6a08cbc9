"""Whose span it is: conversation, tenant, model, node, golden item, by recorders' names.

Conversation ids are not agreed on: the standard has one key, products have theirs, and
applications pass one through as metadata. The names are tried in that order.
"""

from ingest.conventions.lookup import Attributes, first_id, get
from ingest.span import RawSpan
from ingest.values import decode, identifier

CONVERSATION_KEYS = (
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "gcp.vertex.agent.session_id",
    "gen_ai.thread.id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.conversation_id",
    "traceloop.association.properties.thread_id",
    "langsmith.metadata.session_id",
    "langsmith.metadata.conversation_id",
    "langsmith.metadata.thread_id",
    "langfuse.trace.metadata.session_id",
    "langfuse.trace.metadata.thread_id",
    "ai.telemetry.metadata.sessionId",
    "ai.telemetry.metadata.threadId",
    "ai.telemetry.metadata.chatId",
    "ai.telemetry.metadata.conversationId",
    "ai.settings.context.sessionId",
)
_RESPONSE = "resp_"
"""Begins the id of an API's response, which some recorders take for a conversation's."""
_METADATA = "metadata"
_NODE = "langgraph_node"
_NODE_KEYS = (
    f"traceloop.association.properties.{_NODE}",
    f"langsmith.metadata.{_NODE}",
    f"langfuse.observation.metadata.{_NODE}",
    f"metadata.{_NODE}",
)
_UNNAMED = (None, "unknown")
_METADATA_KEYS = ("session_id", "conversation_id", "thread_id")
_TENANT_KEYS = ("tenant.id", "tenant")
GOLDEN_KEY = "golden.id"
_VERSIONED = ("corpus", "index", "prompts", "policy", "canned_replies", "golden_set", "simulator")


def conversation_of(attributes: Attributes) -> str | None:
    """Return the conversation id that a span's attributes name."""
    told = (first_id(attributes, key) for key in CONVERSATION_KEYS)
    named = next((value for value in told if value and not value.startswith(_RESPONSE)), None)
    return named or first_id(metadata_of(attributes), *_METADATA_KEYS)


def conversation_key(raw: RawSpan, conversation_id: str) -> str | None:
    """Return the name under which a span tells its conversation id, for people to read.

    Known names come first; then any attribute, event or resource that holds the very id.
    """
    attributes = raw.attributes
    for key in CONVERSATION_KEYS:
        if first_id(attributes, key) == conversation_id:
            return key
    for key in _METADATA_KEYS:
        if first_id(metadata_of(attributes), key) == conversation_id:
            return f"{_METADATA}.{key}"
    if conversation_of_resource(raw.resource) == conversation_id:
        return "session.id of the resource"
    for key in sorted(attributes):
        if identifier(attributes[key]) == conversation_id:
            return key
    if any(identifier(value) == conversation_id for value in raw.resource.values()):
        return "the resource"
    for key in sorted(attributes):
        value = attributes[key]
        if isinstance(value, str) and conversation_id in value:
            return f"{key} (inside)"
    return None


def conversation_of_resource(resource: Attributes) -> str | None:
    """Return the conversation id of a process that serves one conversation only."""
    return first_id(resource, "session.id")


def tenant_of(attributes: Attributes, resource: Attributes) -> str | None:
    """Return the tenant; other keys than these two need a mapping by the user."""
    return first_id(attributes, *_TENANT_KEYS) or first_id(resource, *_TENANT_KEYS)


def golden_item_of(attributes: Attributes) -> str | None:
    """Return the id of the golden item that the application replayed."""
    return first_id(attributes, GOLDEN_KEY)


def versions_of(resource: Attributes) -> dict[str, str]:
    """Return the versions that a process tells as `corpus.version`, `prompts.version`, …."""
    told = {name: first_id(resource, f"{name}.version") for name in _VERSIONED}
    return {name: version for name, version in told.items() if version is not None}


def metadata_of(attributes: Attributes) -> Attributes:
    """Return the application's metadata, which is JSON in one attribute."""
    found = get(attributes, _METADATA)
    decoded = found if isinstance(found, dict) else decode(found).value
    return decoded if isinstance(decoded, dict) else {}


def node_of(attributes: Attributes) -> str | None:
    """Return the graph node that a LangGraph span runs in."""
    return identifier(metadata_of(attributes).get(_NODE)) or first_id(attributes, *_NODE_KEYS)


def model_of(attributes: Attributes, *names: str) -> str | None:
    """Return the model's name; recorders that do not know it call it `unknown`."""
    return next((n for name in names if (n := first_id(attributes, name)) not in _UNNAMED), None)
