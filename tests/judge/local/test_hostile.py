import time

import pytest

from judge.asking import answer_question, relevance_questions, statements_question
from judge.asking_routing import routing_questions
from judge.asking_support import support_questions
from judge.local import Library, LocalJudge, Passage
from tests.builders import catalogue, citation, conversation, generation, routing, tool_call, turn

SIZE = 20_000
TEXTS = {
    "words": "refund policy ",
    "thanks": "thank you ",
    "digits": "1,",
    "numbers": "12 days ",
    "quotes": '"',
    "brackets": "{[(",
    "Han": "退款政策",
    "kana": "です",
    "dots": ". ",
    "breaks": "a\n",
    "hyphens": "ab-12-",
    "spaces": " ",
    "one word": "x",
    "dates": "2024-05-03 ",
    "negations": "not no ",
    "capitals": "US EU ",
    "ands": "and what ",
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_takes_long_or_breaks_the_judge(name: str) -> None:
    text = (TEXTS[name] * SIZE)[:SIZE]
    asked = turn(
        text[:4_000],
        generation(text, [citation()]),
        chunks=[text, "Shoes: 30 days."],
        tool_calls=(tool_call("stock", {"id": text[:500], "more": [[[text[:50]]]]}, text),),
        routing=routing(catalogues=(catalogue("a", ["stock"], ["c"]),), refined_query=text[:500]),
    )
    questions = [
        *relevance_questions(asked),
        *support_questions(asked),
        answer_question(asked),
        *routing_questions(conversation(asked)),
    ]
    statements = statements_question(asked, on_request=True)
    assert statements is not None
    judge = LocalJudge(Library([Passage(collection="c", title=None, text=text)]))
    start = time.process_time()
    replies = list(judge.answer([*questions, statements]))
    assert len(replies) == len(questions) + 1
    assert time.process_time() - start < 10


def test_a_deeply_nested_result_is_read_as_far_as_results_go() -> None:
    nested = "[" * 400 + '"x"' + "]" * 400
    asked = turn("Where is it?", "It is there.", tool_calls=(tool_call("stock", {}, nested),))
    (reply,) = LocalJudge(Library()).answer([answer_question(asked)])
    assert reply.error is None
