"""Sentences about labelled figures as solutions write them: lists of values, subjects left out, circles, halves, similar triangles, numbers put
in for labels, and what only sounds like a reading."""

from __future__ import annotations

import pytest

from evpv.premises.matching.grounded import grounded_matcher
from evpv.types import Constraint, Numeric, Relation, Structure


def _figure(text: str) -> tuple[Constraint, ...]:
    """A figure from lines such as “segment AB 5”, “angle ABC = x+30”, “AB ∥ CD”."""
    return tuple(_constraint(line.strip()) for line in text.split(";"))


def _constraint(line: str) -> Constraint:
    for sign, kind in ((" ∥ ", "parallel"), (" ⟂ ", "perpendicular"), (" = ", "equal"), (" on ", "incident")):
        if sign in line:
            return Relation(type=kind, entities=tuple(line.split(sign)))
    kind, name, value = line.split()
    attribute = {"segment": "length", "circle": "radius"}.get(kind, "angle")
    unit = "deg" if attribute == "angle" else None
    return Numeric(entity=f"{kind} {name}", attribute=attribute, value=float(value), unit=unit)


_MIDLINE = _figure(
    "segment AC 13; segment MN 6.5; MN ∥ AC; segment AM = segment MB; segment BN = segment NC; angle BAC 54"
)
_ANGLES = _figure("angle PQR = x+30; angle QRP = 2*x; angle RPQ 120")
_CHORD = _figure("circle O 10; segment OM 6; OM ⟂ AB; point A on circle O; point B on circle O; angle ACB 53")
_PAIR = _figure(
    "segment AB 9; segment BC 12; segment DE 6; segment EF = x; angle BAC = angle EDF; angle ABC = angle DEF"
)
_OPPOSITE = _figure("AB ∥ DC; segment AB = 3*y-1; segment DC = y+9; angle DAB 72; segment AD 11")
_ALTITUDE = _figure("CD ⟂ AB; AC ⟂ BC; segment AD 4; segment DB 9; segment CD = h")
_BISECTED = _figure("angle BAD = angle DAC; segment AB 10; segment AC 15; segment BD 4")
_TANGENT = _figure("OT ⟂ PT; segment PT 12; segment OT 5; point T on circle O")
_RIGHT = _figure("DE ⟂ EF; segment DE 20; segment EF 21; segment DF = w; segment EG 14.5; segment DG = segment GF")
_SPLIT = _figure("ST ∥ QR; segment PS 6; segment SQ 3; segment PT 8; segment TR = y")
_RHOMBUS = _figure(
    "segment JK = segment KL; segment KL = segment LM; segment LM = segment MJ; segment JK 5; angle JKL 60"
)
_CIRCLES = _figure("circle O 7; circle Q 4.5; segment OQ 23")
_FOOT = _figure("AB ∥ CD; EH ⟂ CD; segment EF 20; segment EH 19.2")
_CROSSED = _figure("segment AE 3; segment EB 8; segment CE 4; segment ED = x")

_CIRCLE: tuple[Constraint, ...] = (
    Numeric(entity="segment OA", attribute="length", value=6.0, unit="cm"),
    Relation(type="incident", entities=("A", "circle O")),
    Relation(type="incident", entities=("B", "circle O")),
)
_LINES: tuple[Constraint, ...] = (
    Relation(type="parallel", entities=("PQ", "RS")),
    Relation(type="equal", entities=("segment PQ", "segment RS")),
    Relation(type="incident", entities=("T", "PQ")),
    Relation(type="perpendicular", entities=("TU", "RS")),
    Relation(type="parallel", entities=("line m", "line n")),
)
_CROSSING: tuple[Constraint, ...] = (
    Numeric(entity="angle CAB", attribute="angle", value=61.0, unit="deg"),
    Relation(type="perpendicular", entities=("CE", "AB")),
    Structure(type="drawing", parts=(), adjacency=("A-E-B", "B-C", "A-C")),
)
_LEGS: tuple[Constraint, ...] = (
    Numeric(entity="segment AB", attribute="length", value=8.0),
    Numeric(entity="segment BC", attribute="length", value=6.0),
    Numeric(entity="angle ABC", attribute="angle", value=90.0, unit="deg"),
)
_KITE = _figure("E on AC; E on BD; segment AB = segment AD")
_SIDE = _figure("angle PQR 90; S on PR; segment PS = segment SR")
_PLACES: tuple[Constraint, ...] = (Numeric(entity="point A", attribute="position", value=-3.0),)
_CASES = [
    (_MIDLINE, "MN is parallel to AC and measures 6.5.", "supported"),
    (_MIDLINE, "MN is parallel to AC and measures 6.", "contradicted"),
    (_MIDLINE, "MN measures 6.5 and is perpendicular to AC.", "contradicted"),
    (_MIDLINE, "MN, which is 7.5, is parallel to AC.", "contradicted"),
    (_MIDLINE, "The legs of the triangle are 3 and 4.", "missing"),
    (_MIDLINE, "A third line, TU, is parallel to both of them: MN ∥ AC.", "missing"),
    (_MIDLINE, "The marks on BN and NC tell us N bisects BC.", "supported"),
    (_MIDLINE, "MN ∥ AC. Setting them equal gives the value we are after.", "supported"),
    (_MIDLINE, "MN and AC do not meet at a right angle.", "supported"),
    (_MIDLINE, "The picture contains quite a few labels.", "unparsed"),
    (_MIDLINE, "A midsegment of a triangle is parallel to the third side.", "unparsed"),
    (_MIDLINE, "M and N are the midpoints of AB and BC.", "supported"),
    (_MIDLINE, "AB is split into two congruent halves AM and MB.", "supported"),
    (_MIDLINE, "AC is 13, more than three times MN.", "contradicted"),
    (_MIDLINE, "AC is less than three times MN.", "supported"),
    (_MIDLINE, "The chord AC is 6 units away from N.", "unparsed"),
    (_ANGLES, "The three angles of the triangle are x + 30, 2x and 120°, the last at P.", "supported"),
    (_ANGLES, "The three angles of triangle PQR are x + 30, 3x and 120°.", "contradicted"),
    (_ANGLES, "The angles at Q and R are x + 30 and 2x.", "supported"),
    (_ANGLES, "∠Q and ∠R are given in terms of x: 2x and x + 30 respectively.", "contradicted"),
    (_ANGLES, "The remaining angle, ∠PQR, is given as x − 30.", "contradicted"),
    (_ANGLES, "The angle at vertex P measures 110 degrees.", "contradicted"),
    (_ANGLES, "∠P is 120°. They have to add up to 180°.", "supported"),
    (_CHORD, "OM is longer than the radius.", "contradicted"),
    (_CHORD, "OM is shorter than the radius of the circle.", "supported"),
    (_CHORD, "OM is as long as the radius.", "contradicted"),
    (_CHORD, "The inscribed angle at C is 53°.", "supported"),
    (_CHORD, "There is a tangent to the circle at B. OM measures 6.", "missing"),
    (_CHORD, "The distance OM from the center to chord AB is 6.", "supported"),
    (_CHORD, "A tangent is perpendicular to the radius drawn to the point of contact.", "unparsed"),
    (_PAIR, "The triangles ABC and DEF are similar because ∠A = ∠D and ∠B = ∠E.", "supported"),
    (_PAIR, "The triangles ABC and EFD are similar.", "missing"),
    (_PAIR, "BC is 3 longer than AB (12 versus 9).", "supported"),
    (_PAIR, "BC is 3 longer than AB (13 versus 9).", "contradicted"),
    (_PAIR, "AB (9) is shorter than BC (12).", "supported"),
    (_PAIR, "BC measures 12, three more than AB.", "supported"),
    (_PAIR, "BC measures 12, two more than AB.", "contradicted"),
    (_PAIR, "AB is 5 more than half of BC.", "missing"),
    (_PAIR, "The ratio of AB to DE is 3 : 2.", "supported"),
    (_PAIR, "The ratio of AB to DE is 3 : 1.", "contradicted"),
    (_PAIR, "AB : DE = 3 : 2.", "supported"),
    (_PAIR, "AB/DE = 9/8.", "contradicted"),
    (_OPPOSITE, "Opposite sides AB and DC are labelled 3y − 1 and y + 9.", "supported"),
    (_OPPOSITE, "Opposite sides AB and DC are labelled y + 9 and 3y − 1.", "contradicted"),
    (_OPPOSITE, "ABCD has two pairs of equal sides, and AD = 11.", "supported"),
    (_ALTITUDE, "The foot D splits the hypotenuse into segments of length 4 (AD) and 19 (DB).", "contradicted"),
    (_ALTITUDE, "The right angle of triangle ABC is at vertex A.", "contradicted"),
    (_ALTITUDE, "CD is the altitude to AB.", "supported"),
    (_ALTITUDE, "CD is the perpendicular bisector of AB.", "missing"),
    (_ALTITUDE, "∠ABC is a right angle.", "contradicted"),
    (_ALTITUDE, "AB = AD + DB = 4 + 9 = 13.", "supported"),
    (_ALTITUDE, "AB = AD + DB = 4 + 8 = 12.", "contradicted"),
    (_BISECTED, "AD is the angle bisector of ∠A.", "supported"),
    (_BISECTED, "The given lengths are 10 for AB, 16 for AC and 4 for BD.", "contradicted"),
    (_TANGENT, "PT is tangent to the circle at T. With PT = 12 and OT = 5, PO = 13.", "supported"),
    (_TANGENT, "PT is tangent to the circle at T and its length is 13.", "contradicted"),
    (_TANGENT, "By the Pythagorean theorem, PO = 13.", "unparsed"),
    (_TANGENT, "Plugging in PT = 12 and OT = 6 gives the answer.", "contradicted"),
    (_TANGENT, "We know OT = 5, and PS is tangent to the circle at S.", "missing"),
    (_RIGHT, "The legs of the right triangle are 20 and 22.", "contradicted"),
    (_RIGHT, "EG is the median to DF; it is labelled 14.5.", "supported"),
    (_SPLIT, "Triangle PST is similar to triangle PQR.", "supported"),
    (_SPLIT, "Because ST ∥ QR, the proportionality theorem applies: PS/SQ = PT/TR.", "supported"),
    (_RHOMBUS, "JKLM is a rhombus whose sides all measure 5; the angle at K is 60°.", "supported"),
    (_RHOMBUS, "JKLM is a rhombus whose sides all measure 6.", "contradicted"),
    (_CROSSED, "Chords AB and CD intersect at E.", "supported"),
    (_CROSSED, "A square is drawn on side AE of the triangle.", "missing"),
    (_CIRCLE, "A and B lie on the circle with center O.", "supported"),
    (_CIRCLE, "Point B is on the circle centred at O.", "supported"),
    (_CIRCLE, "The radius of circle O is 6 cm.", "supported"),
    (_CIRCLE, "The circle's radius is 7 cm.", "contradicted"),
    (_CIRCLE, "The diameter of the circle is 12 cm.", "supported"),
    (_LINES, "T is a point on line PQ.", "supported"),
    (_LINES, "P, T and Q are collinear.", "supported"),
    (_LINES, "PQ is longer than RS.", "contradicted"),
    (_LINES, "PQ and RS intersect.", "contradicted"),
    (_LINES, "TU meets RS at a 90° angle.", "supported"),
    (_LINES, "Lines m and n are parallel.", "supported"),
    (_LINES, "Line m is perpendicular to line n.", "contradicted"),
    (_LINES, "Line l is parallel to line m.", "missing"),
    (_CROSSING, "∠CAE = 61°", "supported"),
    (_CROSSING, "∠CAE = 51°", "contradicted"),
    (_CROSSING, "∠CEB = 90°", "supported"),
    (_CROSSING, "There is a right angle at E.", "supported"),
    (_CROSSING, "CE is perpendicular to EB.", "supported"),
    (_CROSSING, "∠CBE = 61°", "missing"),
    (_LEGS, "Triangle ABC has legs of 8 and 6.", "supported"),
    (_LEGS, "Triangle ABC has legs of 8 and 7.", "contradicted"),
    (_LINES, "The triangle has legs of 8 and 7.", "missing"),
    (_CIRCLE, "The diameter is 12 cm.", "supported"),
    (_CIRCLE, "The radius of the cone is 7 cm.", "missing"),
    (_KITE, "E lies on both AC and BD.", "supported"),
    (_KITE, "The diagonals AC and BD intersect at E.", "supported"),
    (_KITE, "The lines AC and AD intersect at E.", "missing"),
    (_SIDE, "The right angle is at P.", "contradicted"),  # S lies between P and R, so the triangle is PQR
    (_SIDE, "We see a right triangle with points labelled P, Q, R and S.", "unparsed"),
    (_PLACES, "Point A is at -3 on the number line.", "supported"),
    (_PLACES, "Point A lies at 3.", "contradicted"),
    (_OPPOSITE, "AB is labelled 3y − 1; the angle DAB is 70°.", "contradicted"),
    (_PAIR, "AB is half as long again as DE.", "supported"),
    (_TANGENT, "In the right triangle OTP the leg OT equals 5, and the angle at P is unknown.", "supported"),
    (_TANGENT, "The distance from O to T is 6.", "contradicted"),
    (_TANGENT, "P and T lie 12 units apart.", "supported"),
    (_TANGENT, "The angle at T is only 80°.", "contradicted"),
    (_TANGENT, "OT is 5, and point K is marked on PT.", "missing"),
    (_OPPOSITE, "The angle at A is a right angle.", "contradicted"),
    (_OPPOSITE, "AD is 11. The perimeter is 54.", "supported"),
    (_OPPOSITE, "AB bears the expression 3y − 1.", "supported"),
    (_OPPOSITE, "∠DAB is 72°. Its supplement, ∠ABC, is 108°.", "supported"),
    (_OPPOSITE, "AD is 11. The other two sides are parallel as well.", "supported"),
    (_CIRCLES, "Circle Q is the smallest; its radius is 4.5.", "supported"),
    (_CIRCLES, "Circle O is 15 across.", "contradicted"),
    (_FOOT, "Triangle EHF has a right angle at H.", "supported"),
]


@pytest.mark.parametrize(("figure", "sentence", "verdict"), _CASES, ids=[case[1] for case in _CASES])
def test_a_sentence_about_a_labelled_figure(figure: tuple[Constraint, ...], sentence: str, verdict: str) -> None:
    assert grounded_matcher(figure)(sentence).verdict == verdict


_MISREAD = (
    Numeric(entity="angle ADC", attribute="angle", value=62.0, unit="deg", confidence=0.92),
    Numeric(entity="angle CAB", attribute="angle", value=26.0, unit="deg", confidence=0.92),
    Numeric(entity="segment AB", attribute="length", value=8.0, confidence=0.92),
)


@pytest.mark.parametrize(
    ("question", "claim", "verdict"),
    [
        ("As shown, ∠ADC = 26.0, then the degree of ∠CAB is ()", "∠ADC = 26°", "missing"),  # given
        ("As shown, ∠ADC = 26.0, then the degree of ∠CAB is ()", "∠CAB is 64°.", "contradicted"),  # only asked for
        ("As shown, ∠ADC = 26.0, then the degree of ∠CAB is ()", "∠ADC = 36°", "contradicted"),
        ("如图，∠ADC＝26°，则∠CAB的度数是（）", "∠ADC is 26°.", "missing"),
        ("A ladder AB of 5 m leans against a wall. How high does it reach?", "The ladder AB is 5 m long.", "missing"),
        ("AB is a chord of the circle. What is its area?", "AB = 5", "contradicted"),
        ("AB = 8 and BC = 6. Find CD.", "AB = 6", "contradicted"),  # the 6 is BC's
        ("What is the length of AB?", "AB = 8", "supported"),
        ("", "∠ADC = 26°", "contradicted"),
    ],
)
def test_what_the_question_gives_no_reading_refutes(question: str, claim: str, verdict: str) -> None:
    assert grounded_matcher(_MISREAD, question=question)(claim).verdict == verdict


def test_a_line_known_by_one_point_has_no_angle() -> None:
    assert grounded_matcher(())("The line through M' perpendicular to line p intersects line p.").verdict == "missing"


_STRAIGHT = _figure("angle EGB 112; G on AB; G on EF; segment EF 9")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("∠EGB = 112°", "supported"),
        ("∠EGA = 68°", "supported"),  # beside it on AB
        ("∠AGF = 112°", "supported"),  # across from it
        ("∠FGB = 68°", "supported"),
        ("∠EGA = 112°", "contradicted"),
        ("∠AGF = 68°", "contradicted"),
        ("∠EGC = 112°", "missing"),
    ],
)
def test_an_angle_beside_another_on_a_line_makes_180_degrees_with_it(claim: str, verdict: str) -> None:
    assert grounded_matcher(_STRAIGHT)(claim).verdict == verdict


def test_what_follows_from_another_angle_names_that_angle() -> None:
    match = grounded_matcher(_STRAIGHT)("∠EGA = 112°")
    assert match.constraint == 0
    assert match.explanation == "claimed 112° for ∠EGA, the figure shows 68° by angle EGB."
