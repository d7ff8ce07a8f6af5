"""Questions about prices: what things cost together, what is left, whether the money is enough."""

from __future__ import annotations

from fractions import Fraction

from evpv.judges.checks.questions.asked import Recomputed, amount_before, asking, budget, mentions
from evpv.judges.checks.tables import Table
from evpv.judges.checks.wordings import EACH, PURCHASE, TAX


def purchase(question: str, table: Table) -> Recomputed | None:
    """The cost of what is bought, what is left of the money, what is missing, or whether it is enough."""
    asked = asking(question).lower()
    if not PURCHASE.search(question) or "which" in asked or len(table.columns) != 1 or table.is_stem_and_leaf:
        return None
    bill = _bill(question, table)
    if bill is None:
        return None
    cost, items = bill
    money = budget(question)
    if "enough" in asked:
        return None if money is None else _enough(cost, money, items)
    if "left" in asked:
        return None if money is None else Recomputed(money - cost, f"{money} less {items}")
    if "how much more" in asked:
        return None if money is None else Recomputed(cost - money, f"{items} less {money}")
    return Recomputed(cost, f"{items}")


def _bill(question: str, table: Table) -> tuple[Fraction, str] | None:
    cost, items, after = Fraction(), [], 0
    for mention in mentions(question, table.rows):
        cell = table.cell(mention.name, table.columns[0])
        if cell is None:
            return None
        amount = amount_before(question, mention.start, after)
        after = mention.end
        cost += amount * cell.value
        items.append(f"{float(amount):g} × {cell.row} at {float(cell.value):g}")
    return (cost, " + ".join(items)) if items else None


def _enough(cost: Fraction, money: Fraction, items: str) -> Recomputed:
    return Recomputed("yes" if cost <= money else "no", f"{items} is {float(cost):g}, the money {float(money):g}")


def shortage(question: str, table: Table) -> Recomputed | None:
    """At a price: a shortage when more is demanded than supplied, else a surplus."""
    if "shortage or a surplus" not in question.lower():
        return None
    price = [m.name for m in mentions(asking(question), table.rows)]
    demanded = next((name for name in table.columns if "demand" in name.lower()), None)
    supplied = next((name for name in table.columns if "suppl" in name.lower()), None)
    if len(price) != 1 or demanded is None or supplied is None:
        return None
    want, have = table.cell(price[0], demanded), table.cell(price[0], supplied)
    if want is None or have is None or want.value == have.value:
        return None
    word = "shortage" if want.value > have.value else "surplus"
    return Recomputed(word, f"demanded {want.value}, supplied {have.value}")


def each(question: str, table: Table) -> Recomputed | None:
    """Each has so many, how many have several: a product that needs no table."""
    match = EACH.search(question[:2000])
    if match is None:
        return None
    return Recomputed(Fraction(match[1]) * int(match[2]), f"{match[1]} for each of {match[2]}")


def pay_stub(question: str, table: Table) -> Recomputed | None:
    """A pay stub's tax in total, or the earnings after taxes."""
    asked = asking(question).lower()
    taxes = [cell.value for cell in table.cells if TAX.search(cell.row) and "total" not in cell.row.lower()]
    earned = [cell.value for cell in table.cells if "total earnings" in f"{cell.row} {cell.column}".lower()]
    if "payroll tax" in asked and "total" in asked and taxes:
        return Recomputed(sum(taxes, Fraction()), "the sum of the taxes")
    if "after taxes" in asked and taxes and earned:
        return Recomputed(earned[0] - sum(taxes, Fraction()), "total earnings less the taxes")
    return None
