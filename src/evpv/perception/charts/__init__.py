"""Charts read from pixels and words: bars, lines and pies, as the values of the table behind them."""

from evpv.perception.charts.reading import read_chart

__all__ = ["read_chart"]
