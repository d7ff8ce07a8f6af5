"""Tables: every numeric cell named by its row and column, and the table itself with its header names."""

from evpv.perception.tables.reading import read_table, table_reading

__all__ = ["read_table", "table_reading"]
