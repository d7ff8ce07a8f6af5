"""What sentences say of a table or chart: each is read once, with the figure's names known, and held against its cells."""
