"""Models of rows in groups, whose parts are independent given the group: record, answers, merging."""
