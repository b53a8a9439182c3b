"""Readers that ask a language model: one context for all of them, labels, and the three tiers."""
