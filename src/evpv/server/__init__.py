"""The service: candidates ranked over HTTP, by worker processes that each hold a pipeline (docs/serving.md)."""
