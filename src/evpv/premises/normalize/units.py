"""Units: the many ways to write one, and what one is worth in another (through pint)."""

from __future__ import annotations

from functools import lru_cache

import pint

_SPELLINGS = {
    "percent": "% percent pct per-cent percentage",
    "degree": "° degree degrees deg",
    "radian": "radian radians rad",
    "centimeter": "cm centimeter centimeters centimetre centimetres",
    "millimeter": "mm millimeter millimeters millimetre millimetres",
    "meter": "m meter meters metre metres",
    "kilometer": "km kilometer kilometers kilometre kilometres",
    "inch": "in inch inches",
    "foot": "ft foot feet",
    "yard": "yd yard yards",
    "mile": "mi mile miles",
    "gram": "g gram grams",
    "kilogram": "kg kilogram kilograms kilo kilos",
    "pound": "lb lbs",
    "ounce": "oz ounce ounces",
    "liter": "l liter liters litre litres",
    "milliliter": "ml milliliter milliliters millilitre millilitres",
    "second": "s sec secs seconds",
    "minute": "min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "day days",
    "week": "week weeks",
    "year": "year years yr yrs",
    "dollar": "$ dollar dollars usd us$",
    "cent": "¢ cent cents",
    "euro": "€ euro euros eur",
    "pound_sterling": "£ gbp",
    "yen": "¥ yen jpy",
    "celsius": "°c celsius",
    "fahrenheit": "°f fahrenheit",
}
UNIT_OF = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
SCALE_OF = {
    "hundred": 1e2, "hundreds": 1e2, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "trillion": 1e12, "trillions": 1e12, "dozen": 12.0,
}  # fmt: skip

SYMBOL_OF = {unit: spellings.split()[0] for unit, spellings in _SPELLINGS.items()}
_TIGHT = {"percent", "degree", "celsius", "fahrenheit", "cent"}
_BEFORE = {"dollar", "euro", "pound_sterling", "yen"}

# Money does not convert through physics, so the one pair that does is stated here.
_MONEY = {("cent", "dollar"): 0.01, ("dollar", "cent"): 100.0, ("cent", "euro"): 0.01, ("euro", "cent"): 100.0}
_PINT_NAMES = {"pound_sterling", "dollar", "euro", "yen", "cent", "percent", "celsius", "fahrenheit"}


def canonical_unit(text: str | None) -> str | None:
    """The one name of a unit, or None for none or one that is not known.

    >>> canonical_unit("cm"), canonical_unit("degrees"), canonical_unit("Units"), canonical_unit(None)
    ('centimeter', 'degree', None, None)
    """
    return UNIT_OF.get(text.strip().lower().rstrip(".")) if text else None


def with_unit(number: str, unit: str | None) -> str:
    """A number with its unit as people write it; a unit that is not known is left out.

    >>> with_unit("8", "centimeter"), with_unit("50", "degree"), with_unit("3.50", "dollar"), with_unit("7", None)
    ('8 cm', '50°', '$3.50', '7')
    """
    if unit is None or unit not in SYMBOL_OF:
        return number
    symbol = SYMBOL_OF[unit]
    return symbol + number if unit in _BEFORE else number + symbol if unit in _TIGHT else f"{number} {symbol}"


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(cache_folder=None)


@lru_cache(maxsize=1024)
def conversion(source: str, target: str) -> float | None:
    """What one `source` is worth in `target` (canonical names), None where they do not measure the same thing.

    >>> conversion("meter", "centimeter"), conversion("cent", "dollar"), conversion("meter", "hour")
    (100.0, 0.01, None)
    """
    if source == target:
        return 1.0
    if source in _PINT_NAMES or target in _PINT_NAMES:
        return _MONEY.get((source, target))
    quantity = _registry().Quantity(1.0, source)
    if not quantity.is_compatible_with(target):
        return None
    return float(round(quantity.to(target).magnitude, 12))
