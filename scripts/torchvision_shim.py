"""Lets torchvision's registry wheel, a CUDA build, be imported beside a CPU build of torch.

`make setup` puts this file into the environment with a .pth line, so that subprocesses (transformers serve) have it too.
The wheel's compiled parts cannot load beside a CPU torch. Two things of them are missed: the operators whose fakes
torchvision registers when imported, and `decode_image`, which transformers calls for images in requests. The first are
declared beforehand, the second is done by Pillow. Where torch has CUDA nothing is changed.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

OPERATORS = ("nms", "qnms")


class TorchvisionFinder(MetaPathFinder):
    """Steps in just before torchvision, and just after torchvision.io.image, are loaded."""

    library: Any = None

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name == "torchvision" and self.library is None:
            self.declare_operators()
        return self.patched_spec(name) if name == "torchvision.io.image" else None

    def declare_operators(self) -> None:
        import torch

        if torch.version.cuda is None:
            TorchvisionFinder.library = torch.library.Library("torchvision", "DEF")
            for operator in OPERATORS:
                self.library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

    def patched_spec(self, name: str) -> ModuleSpec | None:
        sys.meta_path.remove(self)
        try:
            spec = find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec is None or spec.loader is None or self.library is None:
            return spec
        load = spec.loader.exec_module

        def load_and_replace(module: ModuleType) -> None:
            load(module)
            module.decode_image = decode_image  # type: ignore[attr-defined]

        spec.loader.exec_module = load_and_replace  # type: ignore[method-assign]
        return spec


def decode_image(input: Any, mode: Any = "UNCHANGED", apply_exif_orientation: bool = False) -> Any:  # noqa: A002
    """An image's bytes (a tensor) or path as a channels-first tensor, as torchvision.io.decode_image gives it."""
    import io

    import numpy as np
    import torch
    from PIL import Image, ImageOps

    picture: Image.Image = Image.open(input if isinstance(input, str) else io.BytesIO(input.numpy().tobytes()))
    if apply_exif_orientation:
        picture = ImageOps.exif_transpose(picture)
    if getattr(mode, "name", mode) == "RGB":
        picture = picture.convert("RGB")
    pixels = np.array(picture)
    return torch.from_numpy(pixels if pixels.ndim == 3 else pixels[..., None]).permute(2, 0, 1).contiguous()


if not any(isinstance(finder, TorchvisionFinder) for finder in sys.meta_path):
    sys.meta_path.insert(0, TorchvisionFinder())
