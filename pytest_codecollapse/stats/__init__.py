"""Class sizes in, exact numbers out; the standard library alone."""
