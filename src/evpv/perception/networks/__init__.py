"""Networks: nodes, edges, weights and directions as constraints."""

from evpv.perception.networks.reading import is_network, network_reading

__all__ = ["is_network", "network_reading"]
