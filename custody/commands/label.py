"""`custody label`: print labels for codes."""

from __future__ import annotations

from pathlib import Path

import click

from custody.commands.common import drafted
from custody.documents import labels
from custody.documents.errors import DocumentError
from custody.documents.label_pdf import SHEETS
from custody.documents.label_spec import DPI, SIZES, Label
from custody.rules import codes


@click.command()
@click.argument("wanted", metavar="CODE...", nargs=-1, required=True)
@click.option("--out", required=True, metavar="FILE", help="A file ending in .pdf, .png or .zpl.")
@click.option(
    "--size",
    type=click.Choice(list(SIZES)),
    help="Width by height in mm; 76x51 for places, 102x76 for envelopes, 51x25 else.",
)
@click.option(
    "--dpi", type=click.Choice([str(dpi) for dpi in DPI]), default="203", show_default=True
)
@click.option("--sheet", type=click.Choice(list(SHEETS)), help="PDF: many labels to a page.")
@click.option("--title", default="", help="A name to print large, such as the place's.")
@click.option("--line", "lines", multiple=True, help="A line of text; may be given again.")
def command(
    wanted: tuple[str, ...],
    out: str,
    size: str | None,
    dpi: str,
    sheet: str | None,
    title: str,
    lines: tuple[str, ...],
) -> None:
    """Print a label for each CODE or run of codes (DS-0000001V..DS-0000012K).

    Print without scaling ("actual size"): the ruler mark on each label shows whether the
    printer kept to it.
    """
    path = Path(out)
    form = path.suffix.lower().lstrip(".")
    if form not in labels.FORMATS:
        raise click.BadParameter("end it in .pdf, .png or .zpl", param_hint="--out")
    try:
        made = _made(wanted, size, title, lines)
        data = labels.render(made, form, int(dpi), sheet)
        with drafted(path) as draft:
            draft.write_bytes(data)
    except (DocumentError, codes.CodeError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror}.") from error
    click.echo(f"{len(made)} label{'s' if len(made) > 1 else ''} in {path}", err=True)


def _made(
    wanted: tuple[str, ...], size: str | None, title: str, lines: tuple[str, ...]
) -> list[Label]:
    """A label for each code; a code that looks like ours and is not is refused before printing."""
    made = []
    for code in codes.expand_all(list(wanted)):
        codes.require_sound(code)
        made.append(Label(code, size or labels.default_size(code), title, lines))
    return made
