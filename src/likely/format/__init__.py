"""Numbers and values as people read them: words, tables of HTML, small pictures. Knows no model."""
