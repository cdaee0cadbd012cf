"""What is tried: each module has `STEPS`, coroutines that take a `Probe` and write what they see into its sheet."""
