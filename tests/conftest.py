"""What every test needs: nothing from a model hub, and a cache of its own."""

from __future__ import annotations

import os
import tempfile

from hypothesis import settings

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="evpv-tests-")

# Machines are shared: how long one example takes says nothing about the code.
settings.register_profile("evpv", deadline=None)
settings.load_profile("evpv")
