"""A film of a still picture, which Chromium takes for its camera."""

from pathlib import Path

from PIL import Image

SIZE = (1280, 720)
FRAMES = 4


def film(picture: Image.Image, target: Path, *, share: float = 0.6) -> Path:
    """Write `picture`, scaled to `share` of the frame on a grey ground, as a Y4M file that loops.

    Chromium opens the file whenever a page opens the camera: writing another picture to the same
    path shows another label.
    """
    planes = _frame(picture, share).convert("YCbCr").split()
    half = (SIZE[0] // 2, SIZE[1] // 2)
    y, cb, cr = planes[0], planes[1].resize(half), planes[2].resize(half)
    frame = b"FRAME\n" + y.tobytes() + cb.tobytes() + cr.tobytes()
    head = f"YUV4MPEG2 W{SIZE[0]} H{SIZE[1]} F15:1 Ip A1:1 C420jpeg\n".encode()
    draft = target.with_suffix(".new")
    draft.write_bytes(head + frame * FRAMES)
    draft.replace(target)
    return target


def _frame(picture: Image.Image, share: float) -> Image.Image:
    room = (int(SIZE[0] * share), int(SIZE[1] * share))
    scale = min(room[0] / picture.width, room[1] / picture.height)
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    label = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    ground = Image.new("RGB", SIZE, (150, 150, 150))
    ground.paste(label, ((SIZE[0] - size[0]) // 2, (SIZE[1] - size[1]) // 2))
    return ground
