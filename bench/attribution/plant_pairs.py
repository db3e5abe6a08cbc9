"""Pairs of faults: a root with what follows from it, with a second one, or with none.

The root of a pair is the fault that is furthest upstream. A latent fault harms nobody: the
turn must pass, or keep the root that it has without it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bench.attribution import plant_claims as claims
from bench.attribution import plant_generation as generation
from bench.attribution import plant_retrieval as retrieval
from bench.attribution import plant_routing as routing
from bench.attribution import plant_tools as tools
from bench.attribution.corpus import Corpus, phrase
from bench.attribution.edits import appended, edited
from bench.attribution.facts import Grade
from bench.attribution.moves import NEIGHBOUR, answered_from_passages
from bench.attribution.scenes import Scene, Search
from bench.attribution.variants import GENERATION, RETRIEVAL, ROUTING, Fault, Plant, table


def then(first: Plant, second: Plant) -> Plant:
    """Return the two faults planted one after the other."""

    def both(scene: Scene, corpus: Corpus) -> Scene | None:
        broken = first(scene, corpus)
        return None if broken is None else second(broken, corpus)

    return both


def with_addition(scene: Scene, corpus: Corpus) -> Scene | None:
    """Add a paragraph that nothing supports to whatever is said."""
    del corpus
    text = phrase(scene, "unsupported")
    return None if text is None else appended(scene, text, "fact")


def in_disorder(scene: Scene, corpus: Corpus) -> Scene | None:
    """Have the answer judged incoherent, without a change to its claims."""
    return generation.scrambled(scene, corpus)


def invented_over(first: Callable[[Scene, Corpus], Scene | None]) -> Plant:
    """Return an upstream fault under which the good answer is given all the same."""

    def planted(scene: Scene, corpus: Corpus) -> Scene | None:
        broken = first(scene, corpus)
        if broken is None:
            return None
        elements = scene.facts.elements
        bare = replace(broken, facts=broken.changed(elements=elements, reply="answered"))
        return retrieval.invented(scene, bare)

    return planted


# Latent faults


def latent_agent(scene: Scene, corpus: Corpus) -> Scene | None:
    """Have another agent answer, rightly."""
    del corpus
    if not scene.facts.needs_evidence or not scene.shown:
        return None
    others = [agent for agent in scene.desk.agents if agent.name != scene.agent.name]
    if not others:
        return None
    # It happens to reach what the right one reaches. The name is its own: what is known of
    # the others in the run must stay as it is.
    able = replace(
        others[-1],
        name=f"{others[-1].name}_for_{scene.agent.name}",
        collections=scene.agent.collections,
        tools=scene.agent.tools,
    )
    return replace(
        scene,
        agent=able,
        desk=replace(scene.desk, agents=(*scene.desk.agents, able)),
        facts=scene.changed(agent_ok=False, fitting_agent=scene.agent.name),
    )


def latent_search(scene: Scene, corpus: Corpus) -> Scene | None:
    """Search a needless collection as well."""
    other = corpus.sibling(scene)
    if other is None or not scene.searches or not scene.facts.needs_evidence:
        return None
    near = corpus.near(scene.good.question, other, most=2)
    search = Search(collection=other, query=scene.good.question, passages=near)
    facts = scene.facts.graded({one.passage_id: NEIGHBOUR for one in near})
    wrong = {**facts.wrong_collections, other: scene.good.collection}
    # Numbers keep their meaning: what comes in addition stands behind all else.
    shown = (*scene.shown, *(one.passage_id for one in near))
    return replace(
        scene,
        searches=(*scene.searches, search),
        numbered=shown,
        facts=replace(facts, wrong_collections=wrong),
    )


def latent_query(scene: Scene, corpus: Corpus) -> Scene | None:
    """Lose words of the question in the query, and find what answers nevertheless."""
    del corpus
    if not answered_from_passages(scene) or len(scene.facts.elements) < 1:
        return None
    words = scene.facts.elements[0].text.split()
    if len(words) < 6:
        return None
    query = " ".join(words[:3])
    return replace(
        scene,
        refined=query,
        searches=tuple(replace(one, query=query) for one in scene.searches),
        facts=scene.changed(refined_faithful=False, lost=(words[-1].strip("?.!"),)),
    )


def latent_cut(scene: Scene, corpus: Corpus) -> Scene | None:
    """Cut a second copy of what answers; the first is enough."""
    del corpus
    if not answered_from_passages(scene):
        return None
    search = scene.searches[-1]
    answering = scene.facts.answering()
    good = next((one for one in search.passages if one.passage_id in answering), None)
    if good is None:
        return None
    copy = replace(good, passage_id=f"{good.passage_id}-copy")
    last = replace(search, passages=(*search.passages, copy), cut=search.cut | {copy.passage_id})
    grade = scene.facts.grades.get(good.passage_id, Grade(grade=3, target=True))
    return replace(
        scene,
        searches=(*scene.searches[:-1], last),
        numbered=scene.shown,
        facts=scene.facts.graded({copy.passage_id: grade}),
    )


def sentence_added(scene: Scene, corpus: Corpus) -> Scene | None:
    """Add one sentence that nothing supports inside a good paragraph: `partial`."""
    del corpus
    text = phrase(scene, "aside")
    if text is None or not answered_from_passages(scene):
        return None
    for number, claim in scene.facts.claims.items():
        paragraph = scene.paragraphs[number - 1]
        if claim == "fact" and paragraph.kind == "prose":
            pairs = scene.facts.support.get(number, {})
            weaker = {key: "partial" if label == "full" else label for key, label in pairs.items()}
            support = {**scene.facts.support, number: weaker}
            return edited(scene, {number: f"{text} {paragraph.text}"}, support=support)
    return None


def repeated_rightly(scene: Scene, corpus: Corpus) -> Scene | None:
    """Say a supported claim again when asked, without looking it up again."""
    del corpus
    if not answered_from_passages(scene):
        return None
    return claims.said_again(scene)


LATENT: Final = {
    "latent_agent": latent_agent,
    "latent_search": latent_search,
    "latent_query": latent_query,
    "latent_cut": latent_cut,
}

FAULTS: Final[tuple[Fault, ...]] = (
    *table(
        ROUTING,
        {
            "collection+invented": ("wrong_collection", invented_over(routing.collection_refused)),
            "collection+addition": (
                "wrong_collection",
                then(routing.collection_answered, with_addition),
            ),
            "collection+disorder": (
                "wrong_collection",
                then(routing.collection_answered, in_disorder),
            ),
            "query+invented": ("refined_query_drifted", invented_over(routing.query_drifted)),
            "argument+addition": (
                "wrong_arguments",
                then(tools.argument_swapped, with_addition),
            ),
            "agent+addition": ("wrong_agent", then(routing.agent_refused, with_addition)),
        },
    ),
    *table(
        RETRIEVAL,
        {
            "dropped+addition": ("missed_chunk", then(retrieval.dropped_refused, with_addition)),
            "part+number": (
                "partial_evidence",
                then(claims.number_changed, retrieval.part_dropped),
            ),
            "buried+addition": ("ranked_too_low", then(retrieval.buried, with_addition)),
        },
    ),
    *table(
        GENERATION,
        {
            "number+latent_search": (
                "contradicts_source",
                then(claims.number_changed, latent_search),
            ),
            "number+latent_agent": (
                "contradicts_source",
                then(claims.number_changed, latent_agent),
            ),
            "invalid+latent_cut": ("invalid_citation", then(generation.invalid_cited, latent_cut)),
            "refused+latent_query": ("over_abstention", then(latent_query, generation.refused)),
            "number+uncited": (
                "contradicts_source",
                then(claims.number_changed, generation.uncited),
            ),
        },
    ),
    *table(
        None,
        {
            "sentence_added": (None, sentence_added),
            "repeated_rightly": (None, repeated_rightly),
            **{name: (None, plant) for name, plant in LATENT.items()},
        },
    ),
)
