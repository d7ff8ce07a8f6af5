"""Makes the recogniser that ships (`perception/recogniser.onnx`) of the one in the rapidocr wheel: half the time, the same readings.

    python scripts/quantise_recogniser.py src/evpv/perception/recogniser.onnx

Two changes. Of 18,708 characters those stay that figures use, with the commoner Chinese characters, kana and Cyrillic, so that print in
other scripts still takes its share of the probability. And the convolutions that only mix channels, three quarters of the time, calculate
in whole numbers: weights of seven bits, so that processors without VNNI instructions do not overflow, by ranges that crops of drawn
figures have. Needs the package `onnx` beside the `vision` extra and the developers' packages; a minute of one core, always the same file.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
import rapidocr
from chart_looks import draw_chart
from numpy.typing import NDArray
from onnx import numpy_helper, version_converter
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from PIL import Image

from evpv.figures import make_problems
from evpv.perception.ocr import read_words
from evpv.perception.recognition import is_of_figures, model_input

PROBLEMS, SEED = 64, 77
LOOKS = [
    (library, kind)
    for library in ("matplotlib", "vega", "pygal")
    for kind in ("bar", "line", "lying", "pie", "grouped")
]
BLURRED = 4  # every so many pictures one goes through JPEG
LEAST_CHANNELS, MOST_UNEQUAL = (
    96,
    2,
)  # of a convolution that mixes channels; the narrow ones weigh channels and stay exact


def is_kept(character: str) -> bool:
    """Whether a character stays: those of figures, and the common ones of other scripts (level one of GB 2312, kana, Cyrillic)."""
    code = ord(character)
    if is_of_figures(character) or 0x3040 <= code <= 0x30FF or 0x400 <= code < 0x460:
        return True
    written = character.encode("gb2312", "ignore")
    return len(written) == 2 and (written[0] <= 0xA9 or 0xB0 <= written[0] <= 0xD7)


def with_fewer_characters(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with only the kept characters' columns in its last layer."""
    metadata = {entry.key: entry for entry in model.metadata_props}
    characters = ["", *metadata["character"].value.splitlines(), " "]
    kept = [0, *(i for i, one in enumerate(characters) if i and len(one) == 1 and is_kept(one))]
    for tensor in model.graph.initializer:
        if len(characters) in tensor.dims:
            values = numpy_helper.to_array(tensor)
            fewer = np.ascontiguousarray(values.take(kept, axis=list(tensor.dims).index(len(characters))))
            tensor.CopyFrom(numpy_helper.from_array(fewer, tensor.name))
    metadata["character"].value = "\n".join(characters[i] for i in kept[1:-1])
    model.graph.output[0].type.tensor_type.shape.dim[-1].ClearField("dim_value")
    del model.graph.value_info[:]
    return model


def mixers(model: onnx.ModelProto) -> list[str]:
    """The names of the convolutions that mix many channels at each place."""
    shapes = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer}
    wide = []
    for node in model.graph.node:
        if node.op_type == "Conv":
            outward, inward, *window = shapes[node.input[1]]
            if (
                window == [1, 1]
                and min(outward, inward) >= LEAST_CHANNELS
                and max(outward, inward) <= MOST_UNEQUAL * min(outward, inward)
            ):
                wide.append(node.name)
    return wide


def pictures() -> Iterator[Image.Image]:
    """Drawn figures of every family, and charts in several libraries' looks, some of them after JPEG."""
    drawn = [made.image for made in make_problems(count=PROBLEMS, seed=SEED)]
    drawn += [Image.open(io.BytesIO(draw_chart(library, kind, SEED).png)) for library, kind in LOOKS]
    for index, picture in enumerate(drawn):
        shown = picture.convert("RGB")
        if index % BLURRED == 1:
            shown.save(packed := io.BytesIO(), "JPEG", quality=40)
            shown = Image.open(packed).convert("RGB")
        yield shown


class Crops(CalibrationDataReader):  # type: ignore[misc]
    """The words of the drawn figures, one a batch, as the recogniser is given them."""

    def __init__(self, name: str) -> None:
        self.name, self.crops = name, self._crops()

    def _crops(self) -> Iterator[NDArray[np.float32]]:
        for picture in pictures():
            pixels = np.asarray(picture)
            for word in read_words(pixels)[::4]:
                x0, y0, x1, y1 = (max(round(edge), 0) for edge in word.box)
                if x1 - x0 > 1 and y1 - y0 > 1:
                    yield model_input([pixels[y0:y1, x0:x1]])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        batch = next(self.crops, None)
        return None if batch is None else {self.name: batch}


def main(target: str) -> None:
    source = next((Path(rapidocr.__file__).parent / "models").glob("PP-OCR*_rec_*.onnx"))
    with tempfile.TemporaryDirectory() as folder:
        plain, prepared = Path(folder) / "plain.onnx", Path(folder) / "prepared.onnx"
        onnx.save(version_converter.convert_version(with_fewer_characters(onnx.load(source)), 17), plain)
        quant_pre_process(plain, prepared, skip_symbolic_shape=True)
        model = onnx.load(prepared)
        quantize_static(
            prepared,
            target,
            Crops(model.graph.input[0].name),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            nodes_to_quantize=mixers(model),
        )
    print(f"{target}: {Path(target).stat().st_size / 1e6:.1f} MB from {source.name}")


if __name__ == "__main__":
    main(sys.argv[1])
