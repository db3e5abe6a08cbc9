"""BeeAI under OpenInference, which makes a span of each event of a run.

    beeai-framework-main              AGENT   source = "ReActAgent"
      iteration-1                     CHAIN
        agent.react.start-4           AGENT   all messages, again and again
          backend.openai.chat.start   LLM     llm.input_messages, tokens
        agent.react.update-13         AGENT
          tool.search.wikipedia.start-12      TOOL
          tool.search.wikipedia.finish-12     TOOL
          tool.search.wikipedia.success-12    TOOL   tool.parameters, output.value
          backend.openai.chat.success         LLM    one message for each token
          backend.openai.chat.finish          LLM

One event of a call stands for it: a model's start, which holds the prompt, a tool's success
or error, which holds both sides. The run's answer is on the root.

Source: openinference-instrumentation-beeai 0.1; beeai-framework 0.1.
"""

import re
from dataclasses import replace

from ingest.conventions.handoffs import handoff_by_tool
from ingest.conventions.lookup import first_id, get
from ingest.span import RawSpan, Span, SpanKind

_SCOPE = "openinference.instrumentation.beeai"
_EVENT = re.compile(r"(agent|tool|backend)\.([\w.]{1,200})\.(\w{1,40})-\d{1,9}")
_TELLS = {("backend", "start"), ("tool", "success"), ("tool", "error")}


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the BeeAI instrumentor."""
    return raw.scope_name.startswith(_SCOPE) or get(raw.attributes, "beeai.version") is not None


def refine(span: Span) -> Span:
    """Count each call once, and name agents and tools."""
    event = _EVENT.fullmatch(span.raw.name)
    if event is None:
        source = first_id(span.raw.attributes, "source")
        return replace(span, agent=source or span.agent) if span.kind is SpanKind.AGENT else span
    emitter, path, name = event.groups()
    if emitter == "agent":
        return Span(raw=span.raw, error=span.error)
    if (emitter, name) not in _TELLS:
        return replace(span, synthetic=True)
    if span.tool is None:
        return span
    tool = replace(span.tool, name=path.rpartition(".")[2])
    return replace(span, tool=tool, handoff=handoff_by_tool(tool.name, tool.arguments, None))
