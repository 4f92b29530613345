# Addresses of moved blocks.

# step: plan
moved {
  from = corpus_thing.a
  to   = corpus_thing.a
}
# step: validate
moved {
  from = corpus_thing.a
  to   = module.b
}
# step: plan
moved {
  from = data.corpus_echo.a
  to   = data.corpus_echo.b
}
# step: validate
moved {
  from = corpus_thing.a
}
