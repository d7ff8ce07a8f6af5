"""A whole study from one file: many judges, policies and benchmarks, asked once, resumed anywhere, told as the paper tells it."""
