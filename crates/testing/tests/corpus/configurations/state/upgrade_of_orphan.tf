# An object of an old schema version that is no longer configured.

# step: apply
# state: corpus_label.a 0 {"name": "a", "title": "hello", "id": "a-1"}
# Nothing is configured.
