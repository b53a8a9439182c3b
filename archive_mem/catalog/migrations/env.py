"""Run by Alembic: migrations on the connection that `engine` opened."""

from alembic import context

from archive_mem.catalog.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
