"""A small archive of one invented life: its builder, its annotations and its questions."""
