"""The judge itself: one function per kind of question, and who it is."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from judge.answers import UnjudgedReason
from judge.local import encoder
from judge.local.answer import judge_answer
from judge.local.grading import judge_relevance
from judge.local.library import Library
from judge.local.routing import judge_routing
from judge.local.statements import judge_statements
from judge.local.support import judge_support
from judge.local.thresholds import thresholds
from judge.question import JudgeIdentity, Question, QuestionKind, Reply

MODEL: Final = "local-1"


class LocalJudge:
    """Answers from words, numbers and rules alone: no key, no network, always the same.

    It takes from the run how rare each word is and what every collection holds, so its
    identity differs from run to run, and replies are shared only between equal runs.
    """

    def __init__(self, library: Library) -> None:
        """Judge with the knowledge of one run."""
        self._library = library
        self._limits = thresholds()
        self._of_retrieved = self._limits.of_retrieved()
        self._of_probed = self._limits.of_probed()
        self._identity = JudgeIdentity(
            provider="local", model=MODEL, params={"run": library.fingerprint}
        )

    @property
    def identity(self) -> JudgeIdentity:
        """Provider `local`; the parameters name what was taken from the run."""
        return self._identity

    def prompt_version(self, kind: QuestionKind) -> str:
        """Return `local/<hash of this package>`: a changed judge asks anew."""
        del kind
        return f"local/{_source_hash()}"

    def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
        """Yield a reply per question, in order; `uncertain` where words do not tell."""
        for question in questions:
            decided = self._judged(question)
            error: UnjudgedReason | None = None if decided else "uncertain"
            text = json.dumps(decided or {}, ensure_ascii=False)
            yield Reply(text=text, model=MODEL, error=error)

    def _judged(self, question: Question) -> Mapping[str, Any] | None:
        content, rarity = question.content, self._library.rarity
        match question.kind:
            case "relevance":
                return judge_relevance(content, self._library, self._of_retrieved)
            case "probe":
                return judge_relevance(content, self._library, self._of_probed, one=True)
            case "support":
                return judge_support(content, rarity, self._limits)
            case "answer":
                return judge_answer(content, self._library, self._limits)
            case "statements":
                return judge_statements(content, rarity, self._limits)
            case "routing":
                return judge_routing(content, self._library, self._limits)
            case _:
                return None  # inventing questions and weighing goals takes a language model


@cache
def _source_hash() -> str:
    """Hash every file that turns a question into a reply, and the name of the encoder."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml", ".json", ".npz"):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    digest.update((folder.parent / "tokens.py").read_bytes())
    digest.update(encoder.identity().encode())
    return digest.hexdigest()[:16]
