"""What Prometheus is told: requests by path and status, how long they took, and how the workers are doing."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """The service's own registry, so that two services in one process do not meet."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter("evpv_requests", "Requests answered.", ("path", "status"), registry=self._registry)
        self._seconds = Histogram(
            "evpv_request_seconds",
            "From a request's head to its answer's end.",
            ("path",),
            buckets=_SECONDS,
            registry=self._registry,
        )

    def gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """A number that is looked up whenever it is asked for."""
        Gauge(f"evpv_{name}", meaning, registry=self._registry).set_function(value)

    def add(self, path: str, status: int, seconds: float) -> None:
        """Count one request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self._registry)
