"""What is predicted when the parameters are summed out."""
