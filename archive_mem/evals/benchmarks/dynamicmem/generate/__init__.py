"""People who do not exist, with app logs over 15 months and known states at five checkpoints."""
