# The function fileset finds files by patterns.

# step: apply
output "files" {
  value = { for it in ["*.txt", "**", "**/*.txt", "d/**", "{a,c}.txt", "[b-z]*.txt", "x*"] : it => fileset("${path.module}/m", it) }
}
# file: m/a.txt
a
# file: m/b.txt
b
# file: m/d/c.txt
c
# file: m/d/e/f.md
f
