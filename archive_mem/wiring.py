"""The only place that builds concrete models, stores and tiers."""
