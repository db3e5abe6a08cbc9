"""Tool executions: each counted once, and joined to what the messages say about it.

    model call ── asks ──▶ execution ── answers ──▶ later model call
               request       spans        response

The three are joined by call id; without one, by equal name and arguments; never by
position, because parallel calls finish in any order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ingest.span import Capture, Span, SpanKind, ToolRequest, ToolResponse, Value
from stages.handoffs import hands_over, is_handoff_name
from stages.model_calls import ModelCall
from stages.run import Run
from stages.tool_results import error_text
from stages.wishes import Wish, responses_of, said, wishes_of
from stages.wording import parsed, same_words, strings_in, value_key, value_text


@dataclass(slots=True, kw_only=True)
class Execution:
    """One wish to call a tool, its execution and its result; any of them may be missing."""

    name: str
    spans: list[Span]
    """All spans that recorded it, the outermost first."""
    request: ToolRequest | None = None
    asked_by: ModelCall | None = None
    response: ToolResponse | None = None

    @property
    def call_id(self) -> str | None:
        """The id that pairs the three, None when none of them carries one."""
        for span in self.spans:
            if span.tool is not None and span.tool.call_id:
                return span.tool.call_id
        return self.request.call_id if self.request is not None else None

    @property
    def arguments(self) -> tuple[Value, Capture]:
        """The arguments and how well they were captured; the best recording wins."""
        told = [(s.tool.arguments, s.tool.arguments_capture) for s in self.spans if s.tool]
        if self.request is not None:
            captured: Capture = "not_captured" if self.request.arguments is None else "captured"
            told.append((self.request.arguments, captured))
        return _best(told)

    @property
    def result(self) -> tuple[Value, Capture]:
        """The result and how well it was captured; the best recording wins."""
        told = [(s.tool.result, s.tool.result_capture) for s in self.spans if s.tool]
        if self.response is not None:
            told.append((self.response.result, "captured"))
        return _best(told)

    @property
    def error(self) -> str | None:
        """What went wrong, in words; None when nothing says that it failed."""
        for span in self.spans:
            if span.error or (span.tool is not None and span.tool.is_error):
                told = span.tool.error if span.tool is not None else None
                return told or span.error or _as_error(self.result[0])
        return error_text(self.response) if self.response is not None else None

    @property
    def end_ns(self) -> int | None:
        """When its result was there, None when no span tells."""
        return next((s.raw.end_ns for s in self.spans if s.raw.end_ns is not None), None)

    @property
    def start_ns(self) -> int:
        """When it started, as well as the trace tells; `NEVER` when it does not."""
        for span in self.spans:
            if span.raw.start_ns is not None:
                return span.raw.start_ns
        if self.asked_by is not None:
            asked = self.asked_by.span.raw
            for time in (asked.end_ns, asked.start_ns):
                if time is not None:
                    return time
        return NEVER


NEVER = 2**63
"""Start of an execution whose time no span tells."""
_ITEM_ID = "fc_"
_QUALITY = {"captured": 0, "truncated": 1, "not_captured": 2}


def executions(run: Run, answer: str | None = None) -> list[Execution]:
    """Return the tool executions of a turn by start.

    Handoffs are not among them, nor is a tool that only takes the answer to hand it back.

    Args:
        run: The turn.
        answer: The answer of the turn, to tell such a tool.
    """
    handoffs = {s.tool.name for s in run.acting if s.tool and hands_over(s, run.delegations)}
    requests = [
        (request, call)
        for request, call in wishes_of(run.calls)
        if request.name not in handoffs and not is_handoff_name(request.name)
    ]
    found = [Execution(name=_name(group[0]), spans=group) for group in _recorded(run)]
    found.extend(
        Execution(name=request.name, spans=[], request=request, asked_by=call)
        for request, call in _join_requests(found, requests)
    )
    _join_responses(found, list(responses_of(run.calls)))
    calls = [execution for execution in found if not _hands_back(execution, answer)]
    return sorted(calls, key=lambda e: (e.start_ns, e.spans[0].span_id if e.spans else "~", e.name))


def _hands_back(execution: Execution, answer: str | None) -> bool:
    """Tell whether a tool (`final_answer`, `finish`) was given nothing but the answer."""
    if answer is None:
        return False
    arguments, result = execution.arguments[0], execution.result[0]
    if isinstance(arguments, dict) and arguments == parsed(answer):
        return True
    texts = [*strings_in(arguments), *_only(arguments)]
    given = any(same_words(text, answer) for text in texts)
    return given and (result is None or same_words(value_text(result), answer))


def _only(arguments: Value) -> tuple[str, ...]:
    """Return the only argument of a call, by name or position, as JSON and as Python prints it."""
    values = list(arguments.values()) if isinstance(arguments, dict) else []
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    return (value_text(values[0]), str(values[0])) if len(values) == 1 else ()


def _as_error(result: Value) -> str:
    return value_text(result) if result not in (None, "") else "error"


def _name(span: Span) -> str:
    return span.tool.name if span.tool is not None else span.raw.name


def _best(told: Sequence[tuple[Value, Capture]]) -> tuple[Value, Capture]:
    if not told:
        return None, "not_captured"
    return min(told, key=lambda value: (_QUALITY[value[1]], value[0] is None))


# What the spans tell


def _recorded(run: Run) -> Iterator[list[Span]]:
    """Yield the spans of each execution; a span below that repeats its parent joins it."""
    groups: dict[str, list[Span]] = {}
    ids: dict[str, list[Span]] = {}
    for span in run.of_kind(SpanKind.TOOL):
        if span.tool is None or hands_over(span, run.delegations):
            continue
        call_id = span.tool.call_id
        same = ids.get(call_id) if call_id else None
        above = run.tree.nearest(span, SpanKind.TOOL)
        if same is None and above is not None and _repeats(span, above):
            same = groups.get(above.span_id)
        if same is None:
            same = []
        same.append(span)
        groups[span.span_id] = same
        if call_id:
            ids.setdefault(call_id, same)
    seen: set[int] = set()
    for group in groups.values():
        if id(group) not in seen:
            seen.add(id(group))
            yield group


def _repeats(inner: Span, outer: Span) -> bool:
    one, other = inner.tool, outer.tool
    if one is None or other is None or (one.call_id and other.call_id):
        return False
    arguments = (one.arguments, other.arguments)
    if None not in arguments and value_key(arguments[0]) != value_key(arguments[1]):
        return False
    results = (one.result, other.result)
    if None not in results and value_key(results[0]) != value_key(results[1]):
        return False
    return one.name == other.name or None not in arguments


# Joining them


def _join_requests(found: Sequence[Execution], requests: Sequence[Wish]) -> list[Wish]:
    """Give each execution its request; return the requests that were never executed."""
    free = dict(enumerate(requests))
    by_id = {request.call_id: n for n, (request, _) in free.items() if request.call_id}
    for execution in found:
        if execution.call_id in by_id:
            _join(execution, free, by_id.pop(execution.call_id))
    by_wish: dict[str, list[int]] = {}
    for number, (request, _) in reversed(free.items()):
        by_wish.setdefault(said(request.name, request.arguments), []).append(number)
    for execution in found:
        arguments, capture = execution.arguments
        if execution.request is None and capture == "captured":
            fitting = by_wish.get(said(execution.name, arguments))
            if fitting and _could_be(execution, free[fitting[-1]][0]):
                _join(execution, free, fitting.pop())
    executed = Counter(e.name for e in found if e.request is None)
    wished = Counter(request.name for request, _ in free.values())
    by_name = {request.name: number for number, (request, _) in free.items()}
    for execution in found:
        name = execution.name
        alone = executed[name] == wished[name] == 1
        if alone and execution.request is None and _could_be(execution, free[by_name[name]][0]):
            _join(execution, free, by_name[name])
    return _never_executed(found, free.values())


def _join(execution: Execution, free: dict[int, Wish], number: int) -> None:
    execution.request, execution.asked_by = free.pop(number)


def _could_be(execution: Execution, request: ToolRequest) -> bool:
    ids = (execution.call_id, request.call_id)
    return None in ids or ids[0] == ids[1] or _of_one_item(*ids)


def _of_one_item(one: str | None, other: str | None) -> bool:
    """Tell whether two ids may be the two of one item: `fc_1` as output, `call_1` as call."""
    return (one or "").startswith(_ITEM_ID) != (other or "").startswith(_ITEM_ID)


def _never_executed(found: Iterable[Execution], free: Iterable[Wish]) -> list[Wish]:
    """Leave out requests that some execution may be, though it cannot be told which."""
    open_names: dict[str, list[Execution]] = {}
    for execution in found:
        if execution.request is None:
            open_names.setdefault(execution.name, []).append(execution)
    return [
        (request, call)
        for request, call in free
        if not any(_could_be(e, request) for e in open_names.get(request.name, ()))
    ]


def _join_responses(
    found: Sequence[Execution], responses: Sequence[tuple[ToolResponse, ModelCall]]
) -> None:
    by_id: dict[str, Execution] = {}
    for execution in found:
        if execution.request is not None and execution.request.call_id:
            by_id[execution.request.call_id] = execution
    by_id.update({execution.call_id: execution for execution in found if execution.call_id})
    loose: list[tuple[ToolResponse, ModelCall]] = []
    for response, reader in responses:
        if response.call_id and response.call_id in by_id:
            by_id[response.call_id].response = response
        else:
            loose.append((response, reader))
    for response, reader in loose:
        waiting = [
            execution
            for execution in found
            if execution.response is None and _may_answer(response, reader, execution)
        ]
        if len(waiting) == 1:
            waiting[0].response = response


def _may_answer(response: ToolResponse, reader: ModelCall, execution: Execution) -> bool:
    """Tell whether a result may be that of a call, which began before the result was read."""
    read_ns = reader.span.raw.start_ns
    before = execution.start_ns == NEVER or read_ns is None or execution.start_ns <= read_ns
    return before and response.name in (None, execution.name)
