"""What a turn cost in tokens and time, and whether it ended in an error.

Read off the spans alone. What was not recorded is unknown, never 0.
"""

from analysis.judged import JudgedTurn
from analysis.metrics.measured import Measured, quantity, share, undefined
from analysis.metrics.ratio import Ratio
from stages.records import Stage


def error_rate(*, error: bool) -> Ratio:
    """Whether the turn's root span ended in an error: 1 of 1 or 0 of 1.

    Source:
        OpenTelemetry specification, trace API, span status.
    """
    return Ratio(int(error), 1)


# From a turn


def measure_errors(judged: JudgedTurn) -> Measured:
    """Measure `error_rate`."""
    return share(error_rate(error=judged.turn.error), "not_recorded")


def measure_input_tokens(judged: JudgedTurn) -> Measured:
    """Measure `input_tokens`: all model calls of the turn, cached tokens included."""
    return quantity(judged.turn.input_tokens, "not_recorded")


def measure_output_tokens(judged: JudgedTurn) -> Measured:
    """Measure `output_tokens` of all model calls of the turn."""
    return quantity(judged.turn.output_tokens, "not_recorded")


def measure_cached_tokens(judged: JudgedTurn) -> Measured:
    """Measure `cached_tokens`: the part of the input read from the provider's cache."""
    return quantity(judged.turn.cached_tokens, "not_recorded")


def measure_duration(judged: JudgedTurn) -> Measured:
    """Measure `duration_ms`, from start to end of the turn's root span."""
    return quantity(judged.turn.duration_ms, "not_recorded")


def measure_stage(judged: JudgedTurn, stage: Stage) -> Measured:
    """Measure `<stage>_ms`: the time covered by the stage's spans, overlaps counted once."""
    use = judged.turn.use.get(stage)
    if use is None:
        return undefined("stage_not_run")
    return quantity(use.duration_ms, "not_recorded")


def measure_first_output(judged: JudgedTurn) -> Measured:
    """Measure `first_output_ms`, from the start of the turn to the first token of the answer."""
    generation = judged.turn.generation
    if generation is None:
        return undefined("no_generation")
    return quantity(generation.first_output_ms, "not_recorded")
