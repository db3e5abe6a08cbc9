"""What kind of reply an answer is, in many languages, told by what it does and rests on.

The library answers one question; each row is an answer to it. A refusal that is quoted, or
that a document speaks of, is no refusal.
"""

import pytest

from judge.answers import AnswerJudgement
from judge.asking import answer_question
from judge.local import Library, LocalJudge, Passage
from judge.local.claims import act_of
from judge.replies import read_reply
from tests.builders import chunk, generation, retrieval, turn

TEXTS = {
    "en": (
        "How long can I return a toaster, and who pays for the shipping?",
        "Toasters can be returned within 21 days of delivery. Northby pays the return shipping.",
    ),
    "de": (
        "Wie lange kann ich einen Toaster zurückgeben, und wer bezahlt den Rückversand?",
        (
            "Ein Toaster kann innerhalb von 21 Tagen nach Lieferung zurückgegeben werden. Northby "
            "bezahlt den Rückversand."
        ),
    ),
    "fr": (
        "Combien de temps puis-je rendre un grille-pain, et qui paie le renvoi ?",
        (
            "Un grille-pain peut être rendu dans les 21 jours après la livraison. Northby paie le "
            "renvoi."
        ),
    ),
    "es": (
        "¿Cuánto tiempo tengo para devolver una tostadora y quién paga el envío de vuelta?",
        (
            "Una tostadora se puede devolver dentro de los 21 días después de la entrega. Northby "
            "paga el envío de vuelta."
        ),
    ),
    "it": (
        "Per quanto tempo posso restituire un tostapane e chi paga la spedizione di ritorno?",
        (
            "Un tostapane può essere restituito entro 21 giorni dalla consegna. Northby paga la "
            "spedizione di ritorno."
        ),
    ),
    "pt": (
        "Por quanto tempo posso devolver uma torradeira e quem paga o envio de volta?",
        (
            "Uma torradeira pode ser devolvida dentro de 21 dias após a entrega. A Northby paga o "
            "envio de volta."
        ),
    ),
    "nl": (
        "Hoe lang kan ik een broodrooster terugsturen en wie betaalt de retourzending?",
        (
            "Een broodrooster kan binnen 21 dagen na levering worden teruggestuurd. Northby betaalt "
            "de retourzending."
        ),
    ),
    "ja": (
        "トースターは何日以内に返品できますか？返送料は誰が払いますか？",
        "トースターは到着後21日以内に返品できます。返送料はNorthbyが払います。",
    ),
    "zh": (
        "烤面包机多少天内可以退货？退货运费由谁承担？",
        "烤面包机可以在收货后21天内退货。退货运费由Northby承担。",
    ),
    "ar": (
        "خلال كم يوما يمكنني إرجاع محمصة الخبز؟ ومن يدفع تكلفة الإرجاع؟",
        "يمكن إرجاع محمصة الخبز خلال 21 يوما من التسليم. تدفع Northby تكلفة الإرجاع.",
    ),
}
"""A question of two elements and the passage that answers both."""

DECLARED = {
    "en": "I could not find who pays for the shipping.",
    "de": "Wer den Rückversand bezahlt, konnte ich nicht finden.",
    "fr": "Je n'ai pas trouvé qui paie le renvoi.",
    "es": "No he encontrado quién paga el envío de vuelta.",
    "it": "Non ho trovato chi paga la spedizione di ritorno.",
    "pt": "Não encontrei quem paga o envio de volta.",
    "nl": "Wie de retourzending betaalt, kon ik niet vinden.",
    "ja": "返送料については情報が見つかりませんでした。",
    "zh": "关于退货运费，我没有找到相关信息。",
    "ar": "لم أجد معلومات حول من يدفع تكلفة الإرجاع.",
}
REFUSED = {
    "en": "I'm sorry, but I could not find any information about that.",
    "de": "Dazu konnte ich leider keine Informationen finden.",
    "fr": "Désolé, je n'ai trouvé aucune information à ce sujet.",
    "es": "Lo siento, no he encontrado información sobre eso.",
    "it": "Mi dispiace, non ho trovato informazioni al riguardo.",
    "pt": "Desculpe, não encontrei informações sobre isso.",
    "nl": "Sorry, daar kon ik geen informatie over vinden.",
    "ja": "申し訳ございませんが、該当する情報が見つかりませんでした。",
    "zh": "抱歉，我没有找到相关信息。",
    "ar": "عذرا، لم أجد معلومات حول ذلك.",
}
ASKED_BACK = {
    "en": "Which toaster do you have?",
    "de": "Welchen Toaster haben Sie denn?",
    "fr": "Quel grille-pain avez-vous ?",
    "es": "¿Qué tostadora tiene?",
    "it": "Quale tostapane ha?",
    "pt": "Qual torradeira você tem?",
    "nl": "Welke broodrooster hebt u?",
    "ja": "どのトースターをお持ちですか？",
    "zh": "请问您的烤面包机是哪个型号？",
    "ar": "أي محمصة خبز لديك؟",
}
BY_POLICY = {
    "en": "I'm not allowed to give information about that.",
    "de": "Dazu darf ich keine Auskunft geben.",
    "fr": "Je ne suis pas autorisé à donner d'informations à ce sujet.",
    "es": "No puedo dar información sobre eso por nuestras normas.",
    "it": "Non sono autorizzato a dare informazioni su questo.",
    "pt": "Não tenho permissão para dar informações sobre isso.",
    "nl": "Daar mag ik geen informatie over geven.",
    "ja": "規定により、その件についてはお答えできません。",
    "zh": "根据规定，我不能提供这方面的信息。",
    "ar": "لا يُسمح لي بتقديم معلومات حول ذلك.",
}
QUOTED = {
    "en": 'If the shop says "I could not find any information about that", write to Northby.',
    "de": "Wenn der Laden sagt „Dazu konnte ich keine Informationen finden“, schreiben Sie "
    "Northby.",
    "fr": "Si le magasin dit « Je n'ai trouvé aucune information à ce sujet », écrivez à Northby.",
    "es": "Si la tienda dice «No he encontrado información sobre eso», escriba a Northby.",
    "it": "Se il negozio dice «Non ho trovato informazioni al riguardo», scriva a Northby.",
    "pt": 'Se a loja disser "Não encontrei informações sobre isso", escreva à Northby.',
    "nl": 'Zegt de winkel "Daar kon ik geen informatie over vinden", schrijf dan Northby.',
    "ja": "店が「該当する情報が見つかりませんでした」と言う場合は、Northbyにご連絡ください。",
    "zh": "如果商店说「我没有找到相关信息」，请写信给Northby。",
    "ar": "إذا قال المتجر «لم أجد معلومات حول ذلك»، فاكتب إلى Northby.",
}

ABSENT = {
    "en": "There is no order 99817.",
    "de": "Eine Bestellung 99817 gibt es nicht.",
    "fr": "Il n'y a pas de commande 99817.",
    "es": "No existe ningún pedido 99817.",
    "it": "Non esiste alcun ordine 99817.",
    "pt": "Não existe nenhum pedido 99817.",
    "nl": "Er bestaat geen bestelling 99817.",
    "ja": "注文99817は存在しません。",
    "zh": "订单99817不存在。",
    "ar": "لا يوجد طلب رقم 99817.",
}
DONE = {
    "en": "Your ticket has been created.",
    "de": "Ihr Ticket wurde erstellt.",
    "fr": "Votre ticket a été créé.",
    "es": "Su ticket ha sido creado.",
    "it": "Il suo ticket è stato creato.",
    "pt": "O seu ticket foi criado.",
    "nl": "Uw ticket is aangemaakt.",
    "ja": "チケットを作成しました。",
    "zh": "您的工单已创建。",
    "ar": "تم إنشاء التذكرة.",
}
ELSEWHERE = {
    "en": "The museum opens at nine and shows paintings from three centuries.",
    "de": "Das Museum öffnet um neun und zeigt Gemälde aus drei Jahrhunderten.",
    "fr": "Le musée ouvre à neuf heures et montre des tableaux de trois siècles.",
    "es": "El museo abre a las nueve y muestra cuadros de tres siglos.",
    "it": "Il museo apre alle nove e mostra quadri di tre secoli.",
    "pt": "O museu abre às nove e mostra quadros de três séculos.",
    "nl": "Het museum opent om negen uur en toont schilderijen uit drie eeuwen.",
    "ja": "美術館は九時に開き、三世紀にわたる絵画を展示しています。",
    "zh": "博物馆九点开门，展出三个世纪的绘画作品。",
    "ar": "يفتح المتحف في التاسعة ويعرض لوحات من ثلاثة قرون.",
}


def judgement(question: str, answer: str, *passages: str) -> AnswerJudgement:
    known = [Passage(collection="help", title=None, text=text) for _, text in TEXTS.values()]
    judge = LocalJudge(Library(known))
    found = [chunk(f"p-{rank}", text, rank) for rank, text in enumerate(passages, start=1)]
    asked = answer_question(
        turn(question, generation(answer), retrievals=(retrieval(found, question),))
    )
    (reply,) = judge.answer([asked])
    read = read_reply(asked, reply.text)
    assert isinstance(read, AnswerJudgement)
    return read


def split(code: str) -> tuple[str, str, str]:
    """Return question, the first sentence of the passage, and the whole passage."""
    question, passage = TEXTS[code]
    end = "。" if "。" in passage else ". "
    first, _, _ = passage.partition(end)
    return question, first + end.strip(), passage


LANGUAGES = list(TEXTS)


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_answer_to_everything(code: str) -> None:
    question, passage = TEXTS[code]
    found = judgement(question, passage, passage)
    assert found.reply == "answered"
    assert {element.status for element in found.elements} == {"answered"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_answer_to_a_part_that_declares_the_other(code: str) -> None:
    question, first, passage = split(code)
    found = judgement(question, f"{first}\n\n{DECLARED[code]}", passage)
    assert found.reply == "partly"
    assert [element.status for element in found.elements] == ["answered", "declared_missing"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_answer_that_leaves_a_part_out(code: str) -> None:
    question, first, passage = split(code)
    found = judgement(question, first, passage)
    assert found.reply == "partly"
    assert [element.status for element in found.elements] == ["answered", "silently_missing"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_abstention(code: str) -> None:
    question, passage = TEXTS[code]
    found = judgement(question, REFUSED[code], passage)
    assert found.reply == "abstained"
    assert {element.status for element in found.elements} == {"declared_missing"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_question_back(code: str) -> None:
    question, passage = TEXTS[code]
    assert judgement(question, ASKED_BACK[code], passage).reply == "clarifying"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_refusal_by_policy(code: str) -> None:
    question, passage = TEXTS[code]
    assert judgement(question, BY_POLICY[code], passage).reply == "policy_refusal"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_quoted_refusal_is_none(code: str) -> None:
    question, passage = TEXTS[code]
    found = judgement(question, f"{passage}\n\n{QUOTED[code]}", f"{passage} {QUOTED[code]}")
    assert found.reply == "answered"
    assert {element.status for element in found.elements} == {"answered"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_answer_about_something_else_is_off_topic(code: str) -> None:
    question, passage = TEXTS[code]
    assert judgement(question, ELSEWHERE[code], passage).understanding < 2
    assert judgement(question, passage, passage).understanding >= 2


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("texts", "claim"),
    [pytest.param(ABSENT, "absence", id="absence"), pytest.param(DONE, "success", id="success")],
)
def test_what_is_claimed_of_the_world(code: str, texts: dict[str, str], claim: str) -> None:
    """After a failed call these are falsehoods; what failed is attribution's to see."""
    found = judgement(TEXTS[code][0], texts[code])
    assert [one.claim for one in found.paragraphs] == [claim]


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("The filter must not be washed.", id="en"),
        pytest.param("Der Filter darf nicht gewaschen werden.", id="de"),
        pytest.param("Le filtre ne doit pas être lavé.", id="fr"),
        pytest.param("No está permitido lavar el filtro.", id="es"),
        pytest.param("Non è consentito lavare il filtro.", id="it"),
        pytest.param("Não é permitido lavar o filtro.", id="pt"),
        pytest.param("Het filter mag niet worden gewassen.", id="nl"),
        pytest.param("規定により、フィルターは水で洗ってはいけない。", id="ja"),
        pytest.param("根据规定，滤网每月更换一次。", id="zh"),
        pytest.param("لا يسمح بغسل الفلتر بالماء.", id="ar"),
    ],
)
def test_what_is_not_allowed_is_no_refusal(sentence: str) -> None:
    assert act_of(sentence) == "fact"
