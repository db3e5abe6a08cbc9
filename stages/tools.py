"""Tool calls of a turn: what was called, with what, and what came back."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ingest.span import Capture
from stages.executions import NEVER, Execution
from stages.model_calls import since_question
from stages.records import Catalogue, Gap, ToolCall
from stages.run import Run
from stages.tool_results import status_of

_MOST_PRIOR = 200
"""A loop of thousands of calls would make each carry all the others."""


def call_ids(executions: Sequence[Execution]) -> list[str]:
    """Return the id of each execution: as recorded, else `call-<position>`."""
    return [e.call_id or f"call-{position}" for position, e in enumerate(executions, start=1)]


def tool_calls(
    run: Run,
    executions: Sequence[Execution],
    catalogues: Mapping[str | None, Catalogue],
    searches: Collection[str],
) -> tuple[ToolCall, ...]:
    """Make the tool calls of a turn.

    Args:
        run: The turn.
        executions: Its tool executions, by start.
        catalogues: What each agent could choose from.
        searches: Call ids whose result is also a retrieval of the turn.
    """
    ids = call_ids(executions)
    prior = _Prior(executions, ids)
    made: list[ToolCall] = []
    for position, (execution, call_id) in enumerate(zip(executions, ids, strict=True), start=1):
        arguments, arguments_capture = execution.arguments
        result, result_capture = execution.result
        captured = result_capture != "not_captured"
        error = execution.error
        agent = _agent(run, execution)
        catalogue = catalogues.get(agent)
        made.append(
            ToolCall(
                position=position,
                call_id=call_id,
                name=execution.name,
                agent=agent,
                arguments=None if arguments_capture == "not_captured" else arguments,
                result=result if captured else None,
                status=status_of(result, is_error=error is not None, captured=captured),
                error=error,
                catalogue=catalogue.tools if catalogue else None,
                prior=prior.of(execution, call_id),
                is_retrieval=call_id in searches,
                truncated=_cut(arguments_capture) or _cut(result_capture),
                span_id=_span_id(execution),
            )
        )
    return tuple(made)


def tool_gaps(executions: Sequence[Execution]) -> Iterator[Gap]:
    """Yield what the trace does not tell about the tool calls."""
    for execution in executions:
        span_id = _span_id(execution)
        if execution.arguments[1] == "not_captured":
            yield Gap(stage="routing", reason="tool_arguments_not_captured", span_id=span_id)
        if execution.result[1] == "not_captured" and execution.error is None:
            yield Gap(stage="retrieval", reason="tool_result_not_captured", span_id=span_id)


@dataclass(slots=True)
class _Prior:
    """Which results were known when a call was made."""

    executions: Sequence[Execution]
    ids: Sequence[str]
    ended: list[tuple[int, str]] = field(init=False)
    mine: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.mine = frozenset(self.ids)
        self.ended = sorted(
            (execution.end_ns, call_id)
            for execution, call_id in zip(self.executions, self.ids, strict=True)
            if execution.end_ns is not None
        )

    def of(self, execution: Execution, call_id: str) -> tuple[str, ...]:
        """Return the ids of calls that had ended, or whose results the asking model read."""
        asked = execution.asked_by
        read: list[str] = []
        moment = execution.start_ns if execution.start_ns < NEVER else None
        if asked is not None:
            moment = asked.span.raw.start_ns
            for message in since_question(asked.read or ()):
                read.extend(r.call_id for r in message.tool_responses if r.call_id)
        before = 0 if moment is None else bisect_right(self.ended, (moment, "\U0010ffff"))
        known = dict.fromkeys(call_id for _, call_id in self.ended[:before])
        known.update(dict.fromkeys(read))
        known.pop(call_id, None)
        return tuple(known_id for known_id in known if known_id in self.mine)[-_MOST_PRIOR:]


def _agent(run: Run, execution: Execution) -> str | None:
    for span in execution.spans:
        if agent := run.agent_of(span):
            return agent
    return execution.asked_by.agent if execution.asked_by is not None else None


def _span_id(execution: Execution) -> str | None:
    if execution.spans:
        return execution.spans[0].span_id
    return execution.asked_by.span.span_id if execution.asked_by is not None else None


def _cut(capture: Capture) -> bool:
    return capture == "truncated"
