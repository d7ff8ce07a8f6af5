"""What tables and charts are about."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What a table or chart is about. `first` heads the names, `measure` the values; `noun` is what is counted."""

    title: str
    first: str
    names: tuple[str, ...]
    measure: str
    noun: str
    low: int
    high: int

    def choose(self, rng: Random, count: int) -> tuple[str, ...]:
        """Some of the names; days keep their order."""
        chosen = rng.sample(self.names, count)
        return tuple(sorted(chosen, key=self.names.index) if self.first == "Day" else chosen)


_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday"
_PEOPLE = "Alice Ben Carla David Emma Felix Grace Hugo"
_ROWS = (
    ("Pizzas sold", "Day", _DAYS, "Number of pizzas", "pizzas", 12, 90),
    ("Books read", "Student", _PEOPLE, "Number of books", "books", 5, 60),
    ("Visitors to the museum", "Day", _DAYS, "Number of visitors", "visitors", 40, 190),
    ("Goals scored", "Team", "Lions Tigers Hawks Bears Wolves Sharks", "Number of goals", "goals", 8, 75),
    ("Fruit in stock", "Fruit", "Apples Pears Plums Mangos Grapes Lemons", "Number of boxes", "boxes", 10, 95),
    ("Rainfall", "City", "Oslo Lima Cairo Delhi Paris Quito Turin", "Rainfall (mm)", "mm of rain", 20, 180),
    ("Trees planted", "Park", "Oakwood Hilltop Lakeside Meadow Sunset", "Number of trees", "trees", 15, 120),
    ("Favorite sport", "Sport", "Soccer Tennis Hockey Rugby Golf Judo", "Number of students", "students", 6, 80),
)
THEMES = tuple(
    Theme(title=title, first=first, names=tuple(names.split()), measure=measure, noun=noun, low=low, high=high)
    for title, first, names, measure, noun, low, high in _ROWS
)
