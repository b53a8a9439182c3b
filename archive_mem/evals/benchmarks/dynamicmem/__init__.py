"""DynamicMem: what a system knows of a person from app logs, asked at checkpoints.

Three processes: the keeper reads the files, alone holds gold, and scores; the worker runs the
system under test and gets a prefix of the logs and questions without reference values; the bench
stands between them and never sees gold.
"""
