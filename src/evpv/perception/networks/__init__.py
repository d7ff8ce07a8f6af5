"""Networks: nodes, edges, weights and directions as constraints."""

from evpv.perception.networks.nodes import has_nodes
from evpv.perception.networks.reading import network_reading

__all__ = ["has_nodes", "network_reading"]
