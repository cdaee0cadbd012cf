"""Moves programs from another SDK's package to a generated one: `table` reads what is called how, `rewrite` edits the program."""
