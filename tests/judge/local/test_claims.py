import pytest

from judge.local.claims import Act, act_of, claims, claims_of


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("Refunds take 5 days.", "fact"),
        ("The warranty does not cover limescale.", "fact"),
        ("The machine cannot be returned.", "fact"),
        ("Claims are processed within 10 days.", "fact"),
        ("You cannot find the button on older models.", "fact"),
        ('The manual says "I cannot help with that" in such cases.', "fact"),
        ("Die Rechnung wurde am 3. Mai bezahlt.", "fact"),
        ("返品は30日以内に可能です。", "fact"),
        ("Should the card not be found again, we charge 12 €.", "fact"),
        ("Sollte sich die Karte nicht mehr finden, kostet sie 12 €.", "fact"),
        ("Perhaps it was cancelled on Monday.", "fact"),
        ("What a cracked one costs I can't tell you.", "unknown"),
        ("Ob sich das lohnt, ist nicht geregelt.", "unknown"),
        ("The terms only deal with lost keys.", "unknown"),
        ("There is no order 999.", "absence"),
        ("I couldn't find any order 999.", "absence"),
        ("Es gibt keine Bestellung 999.", "absence"),
        ("La commande 999 n'existe pas.", "absence"),
        ("No existe ningún pedido con ese número.", "absence"),
        ("该订单不存在。", "absence"),
        ("لا يوجد طلب بهذا الرقم.", "absence"),
        ("Your ticket has been created.", "success"),
        ("I've cancelled order A-17.", "success"),
        ("Ihr Ticket wurde erstellt.", "success"),
        ("Votre commande a été annulée.", "success"),
        ("Su pedido ha sido cancelado.", "success"),
        ("ご予約をキャンセルしました。", "success"),
        ("已为您取消订单。", "success"),
        ("تم إلغاء الطلب.", "success"),
        ("I could not find any information about that.", "unknown"),
        ("The provided documents do not mention a student discount.", "unknown"),
        ("I cannot reach the order system now.", "unknown"),
        ("Dazu liegen mir keine Informationen vor.", "unknown"),
        ("Je n'ai trouvé aucune information à ce sujet.", "unknown"),
        ("No encontré información sobre eso.", "unknown"),
        ("Non ho trovato informazioni al riguardo.", "unknown"),
        ("Não encontrei informações sobre isso.", "unknown"),
        ("Daarover kan ik helaas niets vinden: geen informatie.", "unknown"),
        ("申し訳ございませんが、情報が見つかりませんでした。", "unknown"),
        ("抱歉，我没有找到相关信息。", "unknown"),
        ("لم أجد معلومات حول ذلك.", "unknown"),
        ("That isn't covered by the information I have.", "unknown"),
        ("This lies outside of what I can see.", "unknown"),
        ("The deadline is not mentioned in the policy.", "unknown"),
        ("This is not mentioned in the house rules, so I'd rather not guess.", "unknown"),
        ("The chapters I have cover the brakes but name no pressure.", "unknown"),
        ("That is not covered by your insurance.", "fact"),
        ("The chapters on brakes name the pressure.", "fact"),
        ("Sorry about that.", "filler"),
        ("Apologies for the mix-up.", "filler"),
        ("Entschuldigung.", "filler"),
        ("Sorry, the pool is closed on Mondays.", "fact"),
        ("Daar kan ik niets over vinden.", "unknown"),
        ("Onze documenten zeggen daar niets over.", "unknown"),
        ("Nos documents n'en parlent pas.", "unknown"),
        ("Los documentos no dicen nada de eso.", "unknown"),
        ("I documenti non ne parlano.", "unknown"),
        ("資料には記載がありません。", "unknown"),
        ("文档中没有提到这一点。", "unknown"),
        ("المستندات لا تذكر ذلك.", "unknown"),
        ("Theft is not covered by the policy.", "fact"),
        ("Batteries are not included in the price.", "fact"),
        ("Los documentos no son necesarios.", "fact"),
        ("Les documents ne sont pas remboursés.", "fact"),
        ("I can't give medical advice.", "policy"),
        ("Dazu darf ich keine Auskunft geben.", "policy"),
        ("Which model do you have?", "clarifying"),
        ("Könnten Sie mir bitte die Bestellnummer nennen?", "clarifying"),
        ("ご注文番号を教えていただけますか？", "clarifying"),
        ("هل يمكنك تزويدي برقم الطلب؟", "clarifying"),
        ("One moment, please.", "filler"),
        ("Let me check that for you.", "filler"),
        ("I'll look into it.", "filler"),
        ("Einen Moment, ich schaue nach.", "filler"),
        ("Ich prüfe das gerade.", "filler"),
        ("Un instant, s'il vous plaît.", "filler"),
        ("Je vais vérifier cela.", "filler"),
        ("Voy a comprobar eso.", "filler"),
        ("Un attimo, per favore.", "filler"),
        ("Um momento, por favor.", "filler"),
        ("Een moment geduld.", "filler"),
        ("少々お待ちください。", "filler"),
        ("请稍等。", "filler"),
        ("لحظة من فضلك", "filler"),
        ("Let me check: the frame has a warranty of 5 years.", "fact"),
        ("I will check the tyres every 3 months.", "fact"),
        ("The brochure doesn't say whether lockers are heated.", "unknown"),
        ("Our price list says nothing about lockers.", "unknown"),
        ("On lockers I have not found anything.", "unknown"),
        ("I can't see from here when the pool opens.", "unknown"),
        ("I can't get through to the booking desk.", "unknown"),
        ("The index did not respond.", "unknown"),
        ("Dazu sagt das Heft leider nichts.", "unknown"),
        ("Ob es Schließfächer gibt, geht aus dem Heft nicht hervor.", "unknown"),
        ("Den Preis kann ich dem Heft nicht entnehmen.", "unknown"),
        ("In unserem Heft ist kein Tauchkurs erwähnt.", "unknown"),
        ("Angaben zum Preis enthält das Heft nicht.", "unknown"),
        ("Ich kann das Heft gerade nicht öffnen.", "unknown"),
        ("Die Suche antwortet nicht.", "unknown"),
        ("The policy does not cover floods.", "fact"),
        ("The list does not include children.", "fact"),
        ("You need not say when you come.", "fact"),
        ("Für Kinder gibt es im Bad nichts.", "fact"),
        ("I can't find a locker with the number 71.", "absence"),
        ("There's no locker 71.", "absence"),
        ("Unter 71 ist bei uns kein Schrank eingetragen.", "absence"),
        ("Einen Schrank 71 führen wir nicht.", "absence"),
        ("I can't find a rule for children.", "unknown"),
        ("We have received 60 euros.", "fact"),
        ("I may not pass on names of other guests.", "policy"),
        ("We can't give out the names of guests.", "policy"),
        ("I may not be back by 5 p.m.", "fact"),
        ("My pleasure.", "filler"),
        ("Enjoy your swim!", "filler"),
        ("Happy to look that up.", "filler"),
        ("Sehr gern.", "filler"),
        ("Alles Gute für Ihre Tochter!", "filler"),
        ("Please try again in a few minutes.", "filler"),
        ("Bitte versuchen Sie es in zehn Minuten noch einmal.", "filler"),
        ("Turn the key for 5 seconds and try again.", "fact"),
        ("Please ask the desk before you swim.", "filler"),
        ("The desk will be able to tell you.", "filler"),
        ("Dafür ist die Kasse zuständig.", "filler"),
        ("Please check the seal every week.", "fact"),
        ("Hello!", "filler"),
        ("Let me know if you need anything else!", "filler"),
        ("Please contact our support team.", "filler"),
        ("Gern geschehen!", "filler"),
        ("To descale it:", "heading"),
        ("On weekdays the pool is open for 9 hours:", "heading"),
        ("**9 euros**", "fact"),
    ],
)
def test_what_a_sentence_does(sentence: str, act: Act) -> None:
    assert act_of(sentence) == act


def test_a_polite_sentence_with_a_number_states_something() -> None:
    assert act_of("Please contact our support team at +49 89 123456.") == "fact"


def test_markers_and_markdown_are_left_out_of_the_text_only() -> None:
    paragraph = {"kind": "list", "text": "- **Fill** the tank [1]\n- Start [2]", "markers": ["[1]"]}
    first, second = claims_of(paragraph, 2)
    assert (first.paragraph, first.text) == (2, "Fill the tank")
    assert first.verbatim == "- **Fill** the tank [1]"
    assert second.text == "Start [2]"


def test_code_states_nothing() -> None:
    assert not list(claims_of({"kind": "code", "text": "x = 1", "markers": []}, 1))


def test_a_sentence_that_tells_in_one_half_and_not_in_the_other_is_two() -> None:
    text = "In boost mode the range is 60 km; how much a full rack takes off I don't know."
    found = list(claims_of({"kind": "prose", "text": text, "markers": []}, 1))
    assert [(one.act, one.verbatim) for one in found] == [("fact", text), ("unknown", text)]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("I had to ask twice, but here it is: desk 14 is on floor 3.", "desk 14 is on floor 3."),
        ("Hier ist es: Zimmer 12 ist frei.", "Zimmer 12 ist frei."),
        ("The pool is here: Main Street 5.", "The pool is here: Main Street 5."),
    ],
)
def test_what_announces_is_no_part_of_what_is_stated(text: str, stated: str) -> None:
    (found,) = claims_of({"kind": "prose", "text": text, "markers": []}, 1)
    assert (found.text, found.act, found.verbatim) == (stated, "fact", text)


def test_a_semicolon_alone_makes_no_second_claim() -> None:
    text = "The range is 60 km; the battery holds 500 Wh."
    assert len(list(claims_of({"kind": "prose", "text": text, "markers": []}, 1))) == 1


@pytest.mark.parametrize(
    ("last", "markers", "act"),
    [
        pytest.param("So the long one costs 40 € more.", [], "conclusion", id="a difference"),
        pytest.param("So the long one costs 50 € more.", [], "fact", id="a wrong difference"),
        pytest.param("The long one costs 40 € more.", [], "fact", id="not said to follow"),
        pytest.param("So the long one costs 40 € more [1].", ["[1]"], "fact", id="it cites"),
        pytest.param("So both come with breakfast.", [], "fact", id="of something else"),
        pytest.param("Also, the long one costs 40 € more.", [], "fact", id="an English addition"),
    ],
)
def test_a_conclusion_from_what_was_said_asserts_nothing(
    last: str, markers: list[str], act: Act
) -> None:
    first = {"paragraph": 1, "kind": "prose", "markers": ["[1]"]}
    first["text"] = "The short ticket costs 80 €, the long one 120 € [1]."
    second = {"paragraph": 2, "kind": "prose", "markers": markers, "text": last}
    assert claims([first, second])[-1].act == act


def test_a_german_conclusion() -> None:
    told = {"paragraph": 1, "kind": "prose", "markers": []}
    texts = ("Die kurze Karte kostet 80 €, die lange 120 €.", "Also zahlen Sie 40 € mehr.")
    assert [one.act for one in claims([told | {"text": text} for text in texts])] == [
        "fact",
        "conclusion",
    ]
