"""Tables: every numeric cell named by its row and column, and the table itself with its header names."""

from evpv.perception.tables.reading import table_reading

__all__ = ["table_reading"]
