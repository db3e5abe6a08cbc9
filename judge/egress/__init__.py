"""What leaves the machine: questions without secrets, and without personal data on request.

    Question ──redact──▶ Question ──▶ key, request, store

Replacing comes before the key: what a judge is asked and what is stored is what left. It
finds what has a known form, and nothing else; a text is never called clean.
"""

from judge.egress.personal import PERSONAL
from judge.egress.redacting import Redactor, personal_classes

__all__ = ["PERSONAL", "Redactor", "personal_classes"]
