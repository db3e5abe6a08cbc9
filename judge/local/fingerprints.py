"""What a run told the local judge, in 16 hex digits: another run is another judge."""

import hashlib
import json
from collections.abc import Iterable, Mapping

from judge.local.shelves import Passage, Place
from judge.local.tables import Tables


def fingerprint(
    passages: Iterable[Passage], reach: Mapping[Place, Mapping[str, set[str]]], tables: Tables
) -> str:
    """Return 16 hex digits over all that a run told the judge; equal runs have equal ones."""
    digest = hashlib.sha256()
    for one in passages:
        parts = [one.service, one.tenant, one.collection, one.title, one.text]
        digest.update(json.dumps(parts).encode())
    for place in sorted(reach, key=str):
        named = {agent: sorted(reach[place][agent]) for agent in sorted(reach[place])}
        digest.update(json.dumps([*place, named]).encode())
    digest.update(tables.identity.encode("utf-8", "replace"))
    return digest.hexdigest()[:16]
