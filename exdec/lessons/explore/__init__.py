"""Charts and slider explorations of the lessons: each is one line in a notebook."""
