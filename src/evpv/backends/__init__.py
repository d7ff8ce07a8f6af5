"""Ways to ask a model, in four chapters. Nothing is imported here, because each backend needs packages of its own.

- Asking a server: `endpoint` (one exchange), `wire` (its form and dialects), `openai_chat`; around any backend
  the `store` of answers and the `ledger` of costs. `scripted` answers without a model.
- Reading answers: `replies` (JSON found and mended), `schemas` (held against one).
- Models and their inputs: `local_weights`, `internvl`, `transformers_chat` (which keeps to a schema while it writes); `images`
  as they are sent; `prompts`.
- Step models: `step_forms` (how they are asked, and what they answer), `one_pass` here, `remote_scorer` there.
"""
