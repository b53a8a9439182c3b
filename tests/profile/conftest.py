"""Property tests are not timed: two cores are shared by whatever else runs."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
