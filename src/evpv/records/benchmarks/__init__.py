"""Other people's data sets, from local files in their published forms → problems."""

from evpv.records.benchmarks.importing import Imported, import_benchmark
from evpv.records.benchmarks.layouts import LAYOUTS

__all__ = ["LAYOUTS", "Imported", "import_benchmark"]
