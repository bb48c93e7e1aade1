"""What is believed of a quantity, as an object."""
