"""Any frame, file or query in; blocks of columns with kinds out."""
