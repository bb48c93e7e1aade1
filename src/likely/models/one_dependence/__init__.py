"""Classifiers whose columns depend on the class and on one column more: TAN and AODE."""
