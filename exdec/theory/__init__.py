"""The economics behind the game, as pure functions of its rules: the lines that lessons draw."""
