# A check needs an assertion.

# step: validate
check "nothing" {
}
