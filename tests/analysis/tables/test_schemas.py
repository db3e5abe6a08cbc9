"""The columns that other people's scripts rely on stand first, in this order."""

import pytest

from analysis.tables.schemas import SCHEMA_VERSION, SCHEMAS, TABLES, TableName

CONTRACT: dict[TableName, str] = {
    "turns": "conversation_id turn turn_id trace_ids service agent agents model language flags "
    "started_at duration_ms question answer complete outcome outcome_reason root_stage root_kind "
    "inherited_from sentence input_tokens output_tokens cached_tokens routing_ms retrieval_ms "
    "generation_ms first_output_ms",
    "tool_calls": "turn_id position call_id agent name arguments result status error catalogue "
    "span_id",
    "retrievals": "turn_id retrieval_id position collection query refined_query status n_chunks "
    "span_id",
    "chunks": "turn_id retrieval_id chunk_id rank first_rank score text collection metadata "
    "in_context grade relevant cited",
    "paragraphs": "turn_id paragraph kind start end text needs_source",
    "citations": "turn_id citation paragraph marker start end chunk_id status source",
    "spans": "trace_id span_id parent_span_id name kind start_ns end_ns status service "
    "conversation_id turn_id convention flags attributes",
    "verdicts": "key conversation_id turn_id question subject status unjudged_reason label grade "
    "reason quotes judge prompt_version model input_tokens output_tokens cost_usd from_store",
    "metrics": "turn_id stage metric value hits total reason",
    "findings": "turn_id stage kind role explanation evidence",
    "losses": "outcome reason file offset detail",
}


@pytest.mark.parametrize("table", TABLES)
def test_the_first_columns_are_the_contract(table: TableName) -> None:
    promised = CONTRACT[table].split()
    assert SCHEMAS[table].names[: len(promised)] == promised
    assert SCHEMAS[table].metadata == {b"schema_version": str(SCHEMA_VERSION).encode()}


def test_every_table_has_a_contract() -> None:
    assert set(CONTRACT) == set(TABLES) == set(SCHEMAS)
