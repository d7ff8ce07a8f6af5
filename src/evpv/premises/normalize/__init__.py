"""One form for many spellings: LaTeX and unicode, numbers, units, geometry labels, relation words."""
