"""The parts of tools/bench-papers."""
