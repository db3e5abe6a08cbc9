"""When a question is asked again, and when the judge takes its failure for an answer."""

import random
from dataclasses import dataclass, field

from judge.asker import is_failure, read
from judge.question import Question, Reply
from judge.remote.outcomes import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How often, and after what time."""

    later: int = 4
    """Times that a question is sent again after the service failed."""
    unreadable: int = 1
    """Times that it is sent again after a reply that cannot be read."""
    first_wait_s: float = 1.0
    """Doubled with each failure; the actual wait is random between half of it and it."""
    longest_wait_s: float = 60.0


@dataclass(slots=True, kw_only=True)
class Task:
    """A question on its way, with all that came of it so far."""

    key: str
    question: Question
    more_room: bool = False
    later: int = 0
    unreadable: int = 0
    due: float = 0.0
    """Not before this time, monotonic seconds."""
    replies: list[Reply] = field(default_factory=list)

    def wait_s(self, outcome: Outcome, policy: Policy) -> float | None:
        """Return after how many seconds to ask again, None when this reply is the last.

        Counts the try; call it once for each outcome, after that was stored.
        """
        self.replies.append(outcome.reply)
        if outcome.fatal is not None:
            return None
        match outcome.again:
            case "later" if self.later < policy.later:
                self.later += 1
                backoff = min(policy.first_wait_s * 2.0 ** (self.later - 1), policy.longest_wait_s)
                return max(outcome.wait_s or 0.0, backoff * random.uniform(0.5, 1.0))
            case "more_room" if not self.more_room:
                self.more_room = True
                return 0.0
            case "no" if outcome.reply.error is None and self.unreadable < policy.unreadable:
                if is_failure(read(self.question, outcome.reply)):
                    self.unreadable += 1
                    return 0.0
        return None
