"""The command line: which commands there are, and the one place where errors become a line."""

import importlib
import sys
import traceback

import click

from archive_mem import __version__
from archive_mem.errors import ArchiveMemError

__all__ = ["cli", "main"]

_SECTIONS: dict[str, dict[str, str]] = {
    "Start": {
        "demo": "Build the sample archive, ingest it and ask one question of each tier.",
        "ingest": "Read photos and videos into a memory; originals are only read.",
        "ui": "Open the memory in the browser.",
    },
    "Ask": {
        "ask": "Ask a question; answers cite the photos they stand on.",
        "search": "Find moments by words, time and place.",
        "profile": "Who this person is, as of a day.",
        "mcp": "Serve the memory to an MCP client: search, ask, profile, item.",
    },
    "Look": {
        "items": "List the items with time, place, caption and status.",
        "sessions": "List the sessions with their turns.",
        "inspect": "Show what a file says about when and where, without ingesting it.",
    },
    "Tell": {
        "annotate": "Import or export the layers that people write.",
    },
    "Guard": {
        "redact": "Replace personal details in a text by placeholders.",
        "vault": "Manage the encrypted map of real names.",
        "forget": "Remove items and all that was made of them; originals stay.",
        "verify": "Prove that no derivative carries a face or metadata.",
        "export": "Write an anonymised release that may be given away.",
        "reindex": "Build the index again from the catalog.",
        "doctor": "Show settings, models and the state of a memory.",
    },
    "Measure": {
        "bench": "Run a benchmark.",
    },
}


class _Commands(click.Group):
    """Loads a command's module when it is used, so that --help stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in _SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"archive_mem.cli.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.list_commands(ctx)))
        for title, section in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in section.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="archive-mem")
def cli() -> None:
    r"""Your photos and videos, on your own machine, as a memory that answers.

    \b
    archive-mem ingest ~/Pictures                      make the memory
    archive-mem ask "Where did I have ramen in May?"   ask it
    archive-mem ui                                     look at it

    Every command takes --memory DIR (default: $ARCHIVE_MEM_HOME, else your data folder) and
    --debug, which shows the full error. Exit codes: 0 done, 1 error, 2 wrong usage, 3 done but
    some items failed.
    """


def main() -> None:
    """Run the command line; every error is one line, with --debug the whole traceback."""
    arguments, debug = _without_debug(sys.argv[1:])
    try:
        code = _run(arguments)
    except KeyboardInterrupt:
        _say("stopped; run the same command again to go on")
        code = 130
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except Exception as error:  # noqa: BLE001  the last resort: one line, not a traceback
        if debug:
            traceback.print_exc()
        code = _report(error)
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    try:
        result = cli.main(args=arguments, prog_name="archive-mem", standalone_mode=False)
    except click.exceptions.Abort as error:
        raise KeyboardInterrupt from error
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SystemExit:
        return 0  # click's answer to a reader that wanted no more, as `head`
    return result if isinstance(result, int) else 0


def _report(error: Exception) -> int:
    if isinstance(error, ArchiveMemError):
        _say(f"error: {error}")
        return error.exit_code
    _say(f"error: unexpected {type(error).__name__}: {_one_line(error)} (--debug shows more)")
    return 1


def _without_debug(arguments: list[str]) -> tuple[list[str], bool]:
    end = arguments.index("--") if "--" in arguments else len(arguments)
    before = [each for each in arguments[:end] if each != "--debug"]
    return before + arguments[end:], "--debug" in arguments[:end]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def _say(line: str) -> None:
    click.echo(line, err=True)
