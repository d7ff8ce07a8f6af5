"""Ways to ask a model, and what surrounds the asking: the store of answers, the ledger, the reading of replies.

Nothing is imported here, because each backend needs packages of its own.
"""
