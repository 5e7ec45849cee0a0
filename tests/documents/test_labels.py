"""Labels are printed in true measures and can be read."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageFilter

from custody.documents import labels
from custody.documents.errors import LabelError, LabelTextError, LabelTooLongError
from custody.documents.label_spec import SIZES, Label
from custody.rules import codes
from tests.documents import reading

STICK = codes.make("DS", 31)
TABLE = codes.make("PL", 12)
BAG = codes.make("EV", 4217)
ITEM = Label(STICK, "51x25", details=("Dice stick, 5 dice", "craps", "red, lot 4711"))
PLACE = Label(TABLE, "76x51", title="Craps table 1", details=("table", "craps", "pit 1"))
FIELDS = (("Table", "CR1"), ("Date and time removed", ""))
SIGNERS = (("Runs the game", ""), ("Floorperson", "Łucja Nguyễn Иванова"), ("Collected by", ""))
SMALL = Label(BAG, "102x76", "Used dice", ("1 stick",), FIELDS, SIGNERS, ("MD-02.13-H.3.a.i",))
LARGE = Label(BAG, "102x152", "Used dice", ("1 stick",), FIELDS, SIGNERS, ("MD-02.13-H.3.a.i",))
ALL = [ITEM, PLACE, SMALL, LARGE]
both_dpi = pytest.mark.parametrize("dpi", [203, 300])
each_size = pytest.mark.parametrize("label", ALL, ids=[label.size for label in ALL])


def expected(label: Label) -> list[tuple[str, str]]:
    kinds = ["CODE128"] if label.size == "51x25" else ["CODE128", "QRCODE"]
    return [(kind, label.code) for kind in kinds]


@each_size
@both_dpi
@pytest.mark.parametrize("scale", [1.0, 0.97, 0.94])
@pytest.mark.parametrize("blur", [0.0, 0.8])
def test_every_label_is_read_in_true_size_scaled_and_blurred(label, dpi, scale, blur):
    image = reading.picture(labels.render([label], "png", dpi))
    size = (round(image.width * scale), round(image.height * scale))
    seen = image.resize(size, Image.Resampling.BILINEAR).filter(ImageFilter.GaussianBlur(blur))
    assert reading.codes_in(seen) == expected(label)


@each_size
@both_dpi
def test_a_png_has_the_size_of_the_label_and_says_its_dots_an_inch(label, dpi):
    image = Image.open(io.BytesIO(labels.render([label], "png", dpi)))
    size = SIZES[label.size]
    assert image.width == round(size.width * dpi / 25.4)
    assert image.height == round(size.height * dpi / 25.4)
    assert [round(one) for one in image.info["dpi"]] == [dpi, dpi]


@each_size
@both_dpi
def test_zpl_prints_exactly_the_dots_of_the_png(label, dpi):
    (printed,) = reading.zpl_pictures(labels.render([label], "zpl", dpi))
    image = reading.picture(labels.render([label], "png", dpi))
    assert printed.size == image.size
    assert ImageChops.difference(printed, image).getbbox() is None
    assert reading.codes_in(printed) == expected(label)


@both_dpi
def test_bars_are_whole_dots_a_quarter_of_a_millimetre_on_items(dpi):
    image = reading.picture(labels.render([ITEM], "png", dpi))
    line = reading.row(image, round(3.0 * dpi / 25.4))
    dark = [length for _, length, is_dark in reading.runs(line) if is_dark]
    dots = {203: 2, 300: 3}[dpi]
    assert min(dark) == dots
    assert all(length % dots == 0 for length in dark)
    assert abs(dots * 25.4 / dpi - 0.25) < 0.005


@both_dpi
def test_bars_are_whole_dots_on_envelopes(dpi):
    image = reading.picture(labels.render([SMALL], "png", dpi))
    line = reading.row(image, round(16.0 * dpi / 25.4))[: round(70 * dpi / 25.4)]
    dark = [length for _, length, is_dark in reading.runs(line) if is_dark]
    dots = {203: 3, 300: 4}[dpi]
    assert min(dark) == dots
    assert all(length % dots == 0 for length in dark)


@pytest.mark.parametrize(("label", "y", "bar"), [(ITEM, 3.0, 0.25), (SMALL, 16.0, 0.375)])
def test_a_pdf_has_true_bars_with_quiet_zones_of_ten_modules(label, y, bar):
    dpi = 2540  # a hundredth of a millimetre to a pixel
    (image,) = reading.pages(labels.render([label], "pdf"), dpi)
    line = reading.row(image, round(y * 100))
    if label is SMALL:
        line = line[:7000]  # the QR code stands to the right
    dark = [run for run in reading.runs(line) if run[2]]
    assert abs(min(length for _, length, _ in dark) / 100 - bar) < 0.02
    first, last = dark[0][0] / 100, (dark[-1][0] + dark[-1][1]) / 100
    modules = 145
    assert abs((last - first) - modules * bar) < 0.05
    assert first >= 10 * bar
    assert len(line) / 100 - last >= 10 * bar


@each_size
def test_the_ruler_mark_of_a_pdf_is_twenty_millimetres(label):
    (image,) = reading.pages(labels.render([label], "pdf"), 2540)
    below = {"51x25": 160, "76x51": 260, "102x76": 280, "102x152": 280}[label.size]
    line = reading.row(image, image.height - below)
    length = max(length for _, length, is_dark in reading.runs(line) if is_dark) / 100
    assert abs(length - 20.25) < 0.1  # from the outer edges of ticks 0.25 mm wide


@each_size
@both_dpi
def test_the_ruler_mark_of_a_picture_is_twenty_millimetres(label, dpi):
    image = reading.picture(labels.render([label], "png", dpi))
    below = {"51x25": 1.6, "76x51": 2.6, "102x76": 2.8, "102x152": 2.8}[label.size]
    middle = round((SIZES[label.size].height - below) * dpi / 25.4)
    found = max(
        length
        for y in (middle - 1, middle, middle + 1)
        for _, length, is_dark in reading.runs(reading.row(image, y))
        if is_dark
    )
    assert abs(found * 25.4 / dpi - 20.25) < 0.2


@each_size
def test_a_pdf_page_is_the_label_and_is_not_to_be_scaled(label):
    pdf = labels.render([label, label], "pdf")
    size = SIZES[label.size]
    for width, height in reading.page_sizes(pdf):
        assert abs(width - size.width) < 0.01
        assert abs(height - size.height) < 0.01
    assert b"/PrintScaling /None" in pdf
    assert [reading.codes_in(page) for page in reading.pages(pdf, 300)] == [expected(label)] * 2


def test_an_item_label_carries_its_code_twice_with_a_die_cut_between():
    image = reading.picture(labels.render([ITEM], "png", 300))
    half = image.height // 2
    for part in ((0, 0, image.width, half), (0, half, image.width, image.height)):
        assert reading.codes_in(image.crop(part)) == expected(ITEM)
    dashes = [r for r in reading.runs(reading.row(image, half)) if r[2]]
    assert len(dashes) >= 10


@pytest.mark.parametrize("sheet", ["a4", "letter"])
def test_thirty_labels_on_a_sheet_are_all_read_at_97_percent(sheet):
    many = [Label(codes.make("DS", number), "51x25") for number in range(30)]
    pdf = labels.render(many, "pdf", sheet=sheet)
    read = set()
    for page in reading.pages(pdf, 300 * 0.97):
        for x in range(0, page.width, 200):
            read |= set(reading.codes_in(page.crop((x, 0, x + 900, page.height))))
    assert read == {("CODE128", label.code) for label in many}


def test_several_labels_make_one_strip_and_one_zpl_format_each():
    many = [Label(codes.make("DS", number), "51x25") for number in range(3)]
    found = reading.codes_in(reading.picture(labels.render(many, "png", 300)))
    assert found == [("CODE128", label.code) for label in many]
    printed = reading.zpl_pictures(labels.render(many, "zpl", 300))
    assert [reading.codes_in(one) for one in printed] == [expected(one) for one in many]


def test_a_code_too_long_for_a_label_is_refused_with_the_sizes_that_fit():
    with pytest.raises(LabelTooLongError) as raised:
        labels.render([Label("ABCDEFGHIJKLMNOP", "51x25")], "pdf")
    assert raised.value.fits == ["76x51", "102x76", "102x152"]
    assert "76x51" in str(raised.value)
    assert "57.8 mm" in str(raised.value)


def test_a_code_too_long_for_every_label_says_so():
    with pytest.raises(LabelTooLongError, match="fits no label"):
        labels.render([Label("A" * 64, "102x152")], "png")


@pytest.mark.parametrize("size", list(SIZES))
@both_dpi
def test_the_longest_code_that_fits_keeps_its_quiet_zones(size, dpi):
    length = 1
    while True:
        try:
            labels.draw(Label("A" * (length + 1), size), dpi)
        except LabelTooLongError:
            break
        length += 1
    image = reading.picture(labels.render([Label("A" * length, size)], "png", dpi))
    assert ("CODE128", "A" * length) in reading.codes_in(image)
    dots = {"51x25": {203: 2, 300: 3}, "76x51": {203: 2, 300: 3}}.get(size, {203: 3, 300: 4})[dpi]
    y = {"51x25": 3.0, "76x51": 25.0, "102x76": 8.0, "102x152": 8.0}[size]
    dark = [r for r in reading.runs(reading.row(image, round(y * dpi / 25.4))) if r[2]]
    assert dark[0][0] >= 10 * dots
    assert image.width - dark[-1][0] - dark[-1][1] >= 10 * dots


def test_a_long_text_wraps_and_stays_whole():
    name = "The Grand Northern Ballroom high limit craps table number twenty-four"
    pdf = labels.render([Label(TABLE, "76x51", title=name)], "pdf")
    assert " ".join(reading.text_of(pdf).split()).count("Ballroom high") == 1
    assert all(word in reading.text_of(pdf) for word in name.split())


def test_a_detail_of_an_item_wraps_to_a_second_line_and_both_codes_are_still_read():
    text = "Precision dice stick of five, 19 mm, razor edge, ruby, craps, lot 4711"
    label = Label(STICK, "51x25", details=(text,))
    assert all(word in reading.text_of(labels.render([label], "pdf")) for word in text.split())
    image = reading.picture(labels.render([label], "png", 203))
    for part in ((0, 0, image.width, 100), (0, 100, image.width, 200)):
        assert reading.codes_in(image.crop(part)) == expected(label)


@pytest.mark.parametrize("size", list(SIZES))
def test_a_text_that_fits_at_no_legible_size_is_refused_not_cut(size):
    with pytest.raises(LabelTextError, match="Shorten it"):
        labels.render([Label("D5-001", size, details=("very long words " * 60,))], "pdf")


def test_names_in_greek_cyrillic_and_vietnamese_are_printed():
    names = ("Łucja Nguyễn", "Иванова", "Παπαδόπουλος", "Åsa Ñíguez")
    text = reading.text_of(labels.render([Label(TABLE, "76x51", details=names)], "pdf"))
    assert all(name in text for name in names)


def test_a_character_that_the_font_lacks_is_refused_with_the_way_out():
    with pytest.raises(LabelTextError, match="CUSTODY_FONT"):
        labels.render([Label(TABLE, "76x51", title="王")], "png")


def test_more_signatures_than_the_small_envelope_label_holds_are_refused():
    fields = (("Table", ""),) * 8
    signers = (("Signed", ""),) * 6
    with pytest.raises(LabelTextError, match="102x152"):
        labels.render([Label(BAG, "102x76", "Used dice", (), fields, signers)], "pdf")
    labels.render([Label(BAG, "102x152", "Used dice", (), fields, signers)], "pdf")


@pytest.mark.parametrize(
    ("label", "form", "dpi", "sheet", "reason"),
    [
        (Label("D5 001", "51x25"), "pdf", 203, None, "no code"),
        (Label("D5-001", "50x50"), "pdf", 203, None, "no label size 50x50"),
        (Label("D5-001", "51x25"), "gif", 203, None, "not as gif"),
        (Label("D5-001", "51x25"), "png", 72, None, "not 72"),
        (Label("D5-001", "51x25"), "png", 203, "a4", "Sheets are a PDF"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_a_reason(label, form, dpi, sheet, reason):
    with pytest.raises(LabelError, match=reason):
        labels.render([label], form, dpi, sheet)


def test_no_labels_and_too_many_labels_are_refused():
    with pytest.raises(LabelError, match="at least one"):
        labels.render([], "pdf")
    with pytest.raises(LabelError, match="5001"):
        labels.render([ITEM] * 5001, "pdf")
    with pytest.raises(LabelError, match="100 at most"):
        labels.render([ITEM] * 101, "png")


def test_labels_of_two_sizes_do_not_go_on_one_sheet():
    with pytest.raises(LabelError, match="one size"):
        labels.render([ITEM, PLACE], "pdf", sheet="a4")
    assert len(reading.page_sizes(labels.render([ITEM, PLACE], "pdf"))) == 2


def test_a_badge_is_printed_and_read():
    badge = codes.make("BD", 48151623421234567890)
    label = Label(badge, labels.default_size(badge), title="Fay Moss")
    assert ("CODE128", badge) in reading.codes_in(
        reading.picture(labels.render([label], "png", 203))
    )


def test_each_prefix_has_its_size():
    assert labels.default_size(STICK) == "51x25"
    assert labels.default_size(TABLE) == "76x51"
    assert labels.default_size(BAG) == "102x76"
    assert labels.default_size("PLAIN") == "51x25"
