"""The address of a reply: everything that could change it, and nothing else.

    judge identity + prompt version + kind + content ──SHA-256──▶ 64 hex digits

Equal questions have equal keys, whichever turn raises them. A probe is a relevance
question with an element as the need: it has the prompt, the kind and so the key of one.
"""

import hashlib
import json

from judge.question import Judge, JudgeIdentity, Question, QuestionKind

_ENCODE = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode


def reply_key(question: Question, judge: Judge) -> str:
    """Return the address of the reply that *judge* gives to *question*."""
    version = judge.prompt_version(asked_as(question.kind))
    return content_key(question, judge.identity, version)


def content_key(question: Question, identity: JudgeIdentity, prompt_version: str) -> str:
    """Return the address under a prompt version that is known: 64 lowercase hex digits.

    Source:
        Canonical JSON after RFC 8785 in what matters here: sorted keys, no white space,
        UTF-8. Integers stay integers and floats stay floats.
    """
    parts = [
        [identity.provider, identity.model, dict(identity.params)],
        prompt_version,
        asked_as(question.kind),
        question.content,
    ]
    # A lone half of an emoji can stand in what a model wrote as JSON inside JSON.
    return hashlib.sha256(_ENCODE(parts).encode("utf-8", "surrogatepass")).hexdigest()


def asked_as(kind: QuestionKind) -> QuestionKind:
    """Return the kind whose prompt is used: a probe is asked as `relevance`."""
    return "relevance" if kind == "probe" else kind
