"""Photos of labels are read, or refused with a sentence that says what to do."""

from __future__ import annotations

import io
import struct
import sys
import zlib

import pytest
from barcode.codex import Gs1_128
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from custody.documents import labels, photo
from custody.documents.errors import (
    NoCodeFoundError,
    NotAPictureError,
    PictureTooLargeError,
    ZbarMissingError,
)
from custody.documents.label_spec import Label
from custody.rules import codes
from tests.documents import reading

STICK = codes.make("DS", 31)
BAG = codes.make("EV", 4217)


def label(code=STICK, size="51x25", dpi=300):
    return reading.picture(labels.render([Label(code, size, "Used dice")], "png", dpi))


def on_desk(image, size=(1600, 1200), at=(300, 300)):
    """The label lying on something brown, as a photo shows it."""
    desk = Image.new("RGB", size, (120, 90, 60))
    desk.paste(image.convert("RGB"), at)
    return desk


def saved(image, form="JPEG", **options):
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def found(data):
    return [(one["kind"], one["code"] or one["gtin"]) for one in photo.read(data)]


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_a_label_is_read_from_every_common_format(form):
    assert found(saved(on_desk(label()), form)) == [("code", STICK)]


@pytest.mark.parametrize("angle", [90, 180, 270, 8, -8, 20, 30, 38, 45, -45, 60, 75])
def test_a_turned_label_is_read(angle):
    turned = label().rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    assert found(saved(on_desk(turned))) == [("code", STICK)]


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_picture_is_turned_as_its_camera_says(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert found(saved(on_desk(label()), exif=exif)) == [("code", STICK)]


def test_a_dim_picture_with_little_contrast_is_read():
    dim = ImageEnhance.Contrast(ImageEnhance.Brightness(on_desk(label())).enhance(0.4)).enhance(0.4)
    assert found(saved(dim)) == [("code", STICK)]


def test_a_slightly_blurred_picture_is_read():
    assert found(saved(on_desk(label()).filter(ImageFilter.GaussianBlur(1.5)))) == [("code", STICK)]


def test_a_picture_of_twelve_million_pixels_is_read():
    large = label().resize((1800, 886))
    assert found(saved(on_desk(large, (4000, 3000), (900, 900)))) == [("code", STICK)]


def test_a_label_that_fills_the_picture_to_its_edge_is_read():
    image = label()
    left, right = ImageOps.invert(image).getbbox()[::2]
    assert found(saved(image.crop((left + 30, 0, right - 30, image.height)))) == [("code", STICK)]


def test_all_codes_of_a_picture_are_read_each_once_from_the_top():
    desk = on_desk(label(), (1700, 1500), (100, 100))
    desk.paste(label(BAG, "102x76").convert("RGB"), (100, 500))
    assert found(saved(desk)) == [("code", STICK), ("code", BAG)]


def test_a_gs1_label_of_a_maker_names_its_item():
    modules = Gs1_128("\xf1010001234567890510LOT7\xf121S0009917").build()[0]
    image = Image.new("L", (len(modules) * 4 + 200, 300), 255)
    for index, module in enumerate(modules):
        if module == "1":
            image.paste(0, (100 + index * 4, 50, 104 + index * 4, 250))
    (result,) = photo.read(saved(image))
    assert result["code"] == "(01)00012345678905(21)S0009917"
    assert result["lot"] == "LOT7"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a picture at all",
        b"%PDF-1.4 something",
        b"\xff\xd8\xff\xe0 broken",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ],
)
def test_a_file_that_is_no_picture_is_refused_with_what_would_be_right(data):
    with pytest.raises(NotAPictureError, match="JPEG"):
        photo.read(data)


def test_a_picture_cut_off_in_the_middle_is_refused():
    whole = saved(on_desk(label()), "PNG")
    with pytest.raises(NotAPictureError):
        photo.read(whole[: len(whole) // 2])


def test_a_heic_picture_is_refused_with_the_setting_to_change():
    with pytest.raises(NotAPictureError, match="Most Compatible"):
        photo.read(b"\x00\x00\x00\x18ftypheic" + b"\x00" * 100)


def test_a_file_of_too_many_bytes_is_refused_before_it_is_opened():
    with pytest.raises(PictureTooLargeError, match=r"12 MB at most"):
        photo.read(b"\xff" * (photo.MOST_BYTES + 1))


@pytest.mark.parametrize("side", [8_000, 30_000])
def test_a_small_file_of_very_many_pixels_is_refused_before_it_is_unpacked(side):
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00" * ((side // 8 + 1) * side), 9)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    assert len(bomb) < photo.MOST_BYTES
    with pytest.raises(PictureTooLargeError, match="million pixels"):
        photo.read(bomb)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def test_a_picture_without_a_code_says_what_to_try():
    with pytest.raises(NoCodeFoundError, match="straight above the label"):
        photo.read(saved(Image.new("RGB", (640, 480), "white")))


def test_a_missing_zbar_library_names_the_package_for_each_system(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("pyzbar")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    with pytest.raises(ZbarMissingError, match=r"libzbar0.*brew.*choco"):
        photo.read(saved(label()))
