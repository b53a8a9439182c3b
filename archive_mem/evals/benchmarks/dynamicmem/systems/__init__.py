"""Memory systems under test: ours, and baselines and peers that share its reader."""
