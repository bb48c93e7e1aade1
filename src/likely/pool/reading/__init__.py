"""One reading of the table, which all members share: columns as steps, words and numbers; what rows teach."""
