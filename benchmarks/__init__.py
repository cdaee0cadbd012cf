"""How fast the package and the generator are, beside the others. `make bench`; README.md says what is compared and how."""
