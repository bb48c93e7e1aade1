"""A fitted model as one plain form that says how rows are scored -> SQL, ONNX, PMML, JSON; knows no model."""
