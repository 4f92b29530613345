//! The text of plans, compared with that of Terraform.

use ferroform_testing::workspace::{Host, Result};

use crate::notes;

/// A case: its name, the first configuration, and the second one.
struct Case {
    name: &'static str,
    first: &'static str,
    second: &'static str,
}

const fn case(name: &'static str, first: &'static str, second: &'static str) -> Case {
    Case { name, first, second }
}

const EVERYTHING: &str = r#"
resource "notes_kinds" "a" {
  name       = "a"
  text       = "t"
  number     = 1.5
  flag       = true
  secret     = "s"
  list       = ["x", "y"]
  set        = ["x", "y"]
  map        = { a = "1", "b.c" = "2" }
  plain      = { key = "k", size = 1 }
  plain_list = [{ key = "k", size = 1 }, { key = "l", size = 2 }]
  plain_map  = { a = { key = "k", size = null } }
  any        = { a = [1, "x"], b = null }
  single     = { key = "k", size = 1, password = "p" }
  nested_list = [{ key = "k" }, { key = "l", size = 2, password = "p" }]
  nested_set = [{ key = "k" }, { key = "l" }]
  nested_map = { a = { key = "k" }, "b.c" = { key = "l" } }

  one {
    key = "k"
    inner {
      value = "v"
    }
  }

  many {
    key = "k"
  }

  many {
    key  = "l"
    password = "p"
    size = 2
  }

  unordered {
    key = "k"
  }

  unordered {
    key = "l"
  }

  labeled "x" {
    key = "k"
  }
}
"#;

const CASES: &[Case] = &[
    case("create", "", EVERYTHING),
    case("destroy", EVERYTHING, ""),
    case(
        "minimal",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"

}
"#,
    ),
    case(
        "no changes",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "t"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "t"
}
"#,
    ),
    case(
        "scalars are updated",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "t"
number = 1
flag = true
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "u"
number = 2.25
flag = false
}
"#,
    ),
    case(
        "scalars are added and removed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "t"
number = 1
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
flag = true
secret = "x"
}
"#,
    ),
    case(
        "secrets",
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = "t"
text = "same"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = "u"
text = "same"
}
"#,
    ),
    case(
        "list elements",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a", "b", "c", "d", "e", "f", "g"]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a", "b", "c", "x", "e", "f", "g", "h"]
}
"#,
    ),
    case(
        "list front",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a", "b", "c"]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["z", "a", "b", "c"]
}
"#,
    ),
    case(
        "empty lists",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a"]
set = []
map = {}
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
list = []
set = ["a"]
map = { a = "b" }
}
"#,
    ),
    case(
        "lists become null",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a"]
set = ["a"]
map = { a = "b" }
single = { key = "k" }
nested_list = [{ key = "k" }]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"

}
"#,
    ),
    case(
        "set elements",
        r#"resource "notes_kinds" "a" {
  name = "a"
set = ["a", "b", "c"]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
set = ["b", "c", "d"]
}
"#,
    ),
    case(
        "map entries",
        r#"resource "notes_kinds" "a" {
  name = "a"
map = { a = "1", b = "2", c = "3", "long.key" = "4" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
map = { a = "1", b = "3", d = "5", "long.key" = "4" }
}
"#,
    ),
    case(
        "plain objects",
        r#"resource "notes_kinds" "a" {
  name = "a"
plain = { key = "k", size = 1 }
plain_list = [{ key = "k", size = 1 }, { key = "l", size = null }]
plain_map = { a = { key = "a", size = null }, b = { key = "b", size = null } }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
plain = { key = "k", size = 2 }
plain_list = [{ key = "k", size = 1 }, { key = "m", size = null }]
plain_map = { a = { key = "a", size = 5 }, c = { key = "c", size = null } }
}
"#,
    ),
    case(
        "nested attributes",
        r#"resource "notes_kinds" "a" {
  name = "a"
single = { key = "k", password = "p" }
nested_list = [{ key = "k" }, { key = "l" }, { key = "m" }]
nested_map = { a = { key = "a" }, b = { key = "b" } }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
single = { key = "l", password = "p" }
nested_list = [{ key = "k" }, { key = "x" }]
nested_map = { a = { key = "c" }, d = { key = "d", password = "p" } }
}
"#,
    ),
    case(
        "nested secrets",
        r#"resource "notes_kinds" "a" {
  name = "a"
single = { key = "k", password = "p" }
nested_list = [{ key = "k", password = "x" }]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
single = { key = "k", password = "q" }
nested_list = [{ key = "k" }]
}
"#,
    ),
    case(
        "nested sets",
        r#"resource "notes_kinds" "a" {
  name = "a"
nested_set = [{ key = "a" }, { key = "b" }]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
nested_set = [{ key = "a" }, { key = "c" }]
}
"#,
    ),
    case(
        "replacement",
        r#"resource "notes_kinds" "a" {
  name = "a"
  text = "t"
  list = ["x"]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "b"
  text = "t"
  list = ["x"]
}
"#,
    ),
    case(
        "replacement by a nested attribute",
        r#"resource "notes_kinds" "a" {
  name = "a"
single = { key = "k", size = 1 }
nested_list = [{ key = "k", size = 1 }, { key = "l" }]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
single = { key = "k", size = 2 }
nested_list = [{ key = "k", size = 3 }, { key = "l" }]
}
"#,
    ),
    case(
        "replacement by collections",
        r#"resource "notes_kinds" "a" {
  name = "a"
fixed_list = ["a", "b"]
fixed_set = ["a"]
fixed_map = { a = "b" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
fixed_list = ["a", "c"]
fixed_set = ["b"]
fixed_map = { a = "c" }
}
"#,
    ),
    case(
        "replacement by empty collections",
        r#"resource "notes_kinds" "a" {
  name = "a"
fixed_list = ["a"]
fixed_set = ["a"]
fixed_map = { a = "b" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
fixed_list = []
fixed_set = []
}
"#,
    ),
    case(
        "replacement by a block",
        r#"resource "notes_kinds" "a" {
  name = "a"
one {
 key = "k"
 inner {
 value = "a"
 }
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
one {
 key = "k"
 inner {
 value = "b"
 }
 }
}
"#,
    ),
    case(
        "create before destroy",
        r#"resource "notes_kinds" "a" {
  name = "a"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "b"
  lifecycle {
    create_before_destroy = true
  }
}
"#,
    ),
    case(
        "blocks",
        r#"resource "notes_kinds" "a" {
  name = "a"
one {
 key = "k"
 }
 many {
 key = "a"
 }
 many {
 key = "b"
 size = 1
 }
 unordered {
 key = "a"
 }
 unordered {
 key = "b"
 }
 labeled "x" {
 key = "k"
 }
 labeled "y" {
 key = "k"
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
many {
 key = "a"
 }
 many {
 key = "c"
 size = 1
 }
 many {
 key = "d"
 }
 unordered {
 key = "b"
 }
 unordered {
 key = "c"
 }
 labeled "x" {
 key = "l"
 }
 labeled "z" {
 key = "k"
 }
}
"#,
    ),
    case(
        "block secrets",
        r#"resource "notes_kinds" "a" {
  name = "a"
one {
 key = "k"
 password = "p"
 }
 many {
 key = "a"
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
one {
 key = "k"
 password = "q"
 }
 many {
 key = "a"
 }
}
"#,
    ),
    case(
        "multi-line strings",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "one\ntwo\nthree\n"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "one\n2\nthree\nfour\n"
}
"#,
    ),
    case(
        "multi-line string is created",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "one\n  two\n"
map = { a = "x\ny" }
list = ["x\ny"]
}
"#,
    ),
    case(
        "multi-line string is removed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "one\ntwo"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "one"
}
"#,
    ),
    case(
        "JSON strings",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = 1, b = [1, 2], c = { d = "x" } })
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = 2, b = [1, 3], c = { d = "x" } })
}
"#,
    ),
    case(
        "JSON string is created",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = 1, b = [1, 2], c = { d = "x" }, e = null })
list = [jsonencode([1])]
}
"#,
    ),
    case(
        "JSON string becomes a string",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = 1 })
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "plain"
}
"#,
    ),
    case(
        "special characters",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "quote \" and \\ and $${x} and é\t"
map = { "a\"b" = "1", "é" = "2", "${"$"}{c}" = "3" }
}
"#,
    ),
    case(
        "dynamic values",
        r#"resource "notes_kinds" "a" {
  name = "a"
any = { a = 1, b = "x" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
any = { a = 2, b = "x" }
}
"#,
    ),
    case(
        "dynamic value has another type",
        r#"resource "notes_kinds" "a" {
  name = "a"
any = { a = 1 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
any = "text"
}
"#,
    ),
    case(
        "dynamic list",
        r#"resource "notes_kinds" "a" {
  name = "a"
any = [1, "a", { b = 1 }]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
any = [1, "b", { b = 2 }]
}
"#,
    ),
    case(
        "unknown values",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
list = ["a"]
map = { a = "b" }
single = { key = "k" }
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"
text = notes_kinds.b.revision
list = [notes_kinds.b.id]
map = { a = notes_kinds.b.id }
single = { key = notes_kinds.b.id }
}
"#,
    ),
    case(
        "unknown collections",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a"]
map = { a = "b" }
set = ["a"]
nested_list = [{ key = "k" }]
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"
list = notes_kinds.b.id == "x" ? ["a"] : []
set = [notes_kinds.b.id]
map = { for it in [notes_kinds.b.id] : it => it }
nested_list = notes_kinds.b.id == "x" ? [{ key = "l" }] : []
}
"#,
    ),
    case(
        "unknown new collections",
        "",
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"
list = notes_kinds.b.id == "x" ? ["a"] : []
set = [notes_kinds.b.id, "x"]
single = { key = notes_kinds.b.id }
any = { a = notes_kinds.b.id }
one {
 key = notes_kinds.b.id
 }
}
"#,
    ),
    case(
        "outputs",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"

}
output "id" {
 value = notes_kinds.a.id
}
output "list" {
 value = ["a", { b = 1 }]
}
output "secret" {
 value = "s"
 sensitive = true
}
output "text" {
 value = "x\ny"
}
output "nothing" {
 value = {}
}
"#,
    ),
    case(
        "outputs change",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
output "a" {
 value = "a"
}
output "b" {
 value = ["a", "b"]
}
output "c" {
 value = { x = 1, y = [1] }
}
output "d" {
 value = "d"
}
output "s" {
 value = "s"
 sensitive = true
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
output "a" {
 value = "b"
}
output "b" {
 value = ["a", "c"]
}
output "c" {
 value = { x = 2, y = [1] }
}
output "e" {
 value = 5
}
output "s" {
 value = "t"
 sensitive = true
}
"#,
    ),
    case(
        "count and for_each",
        r#"resource "notes_kinds" "a" {
  count = 2
  name = "a${count.index}"
}
resource "notes_kinds" "b" {
  for_each = toset(["x", "y"])
  name = each.key
}
"#,
        r#"resource "notes_kinds" "a" {
  count = 1
  name = "a${count.index}"
}
resource "notes_kinds" "b" {
  for_each = toset(["y", "z"])
  name = each.key
}
"#,
    ),
    case(
        "moved",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "a"
  text = "a"
}
moved {
  from = notes_kinds.a
  to   = notes_kinds.b
}
"#,
    ),
    case(
        "moved and updated",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "a"
  text = "b"
}
moved {
  from = notes_kinds.a
  to   = notes_kinds.b
}
"#,
    ),
    case(
        "removed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
"#,
        r#"removed {
  from = notes_kinds.a
  lifecycle {
    destroy = false
  }
}
"#,
    ),
    case(
        "data source",
        "",
        r#"resource "notes_note" "n" {
  title = "a"
  text = "t"
}
data "notes_find" "f" {
  title = notes_note.n.id
}
data "notes_find" "g" {
  title      = "a"
  depends_on = [notes_note.n]
}
"#,
    ),
    case(
        "import",
        "",
        r#"resource "notes_book" "b" {
  name = "b"
}
import {
  to = notes_book.b
  id = "b"
}
"#,
    ),
    case(
        "import and update",
        "",
        r#"resource "notes_book" "b" {
  name = "b"
  pages = 7
}
import {
  to = notes_book.b
  id = "b"
}
"#,
    ),
    case(
        "replace triggered by",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
resource "notes_note" "n" {
  title = "a"
  text = "t"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
lifecycle {
 replace_triggered_by = [notes_note.n.text]
}
}
resource "notes_note" "n" {
  title = "a"
  text = "u"
}
"#,
    ),
    case(
        "conditionally sensitive",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = sensitive("b")
}
"#,
    ),
    case(
        "becomes sensitive",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
list = ["a"]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = sensitive("a")
list = [sensitive("a")]
}
"#,
    ),
    case(
        "removed sensitive mark",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = sensitive("a")
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
"#,
    ),
    case(
        "null in collections",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
any = [null, 1]
}
"#,
    ),
    case(
        "several resources",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
}
resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "z" {
  name = "z"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "b"
}
resource "notes_kinds" "b" {
  name = "c"
}
resource "notes_kinds" "d" {
  name = "d"
}
"#,
    ),
    case(
        "long unchanged object",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a"
flag = true
number = 7
map = { a = "b" }
list = ["a"]
one {
 key = "k"
 }
 many {
 key = "m"
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "b"
flag = true
number = 7
map = { a = "b" }
list = ["a"]
one {
 key = "k"
 }
 many {
 key = "m"
 }
}
"#,
    ),
    case(
        "empty strings are created",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
map = { a = "" }
plain = { key = "", size = 1 }
single = { key = "" }
many {
 key = ""
 }
}
"#,
    ),
    case(
        "empty strings are set",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "x"
list = ["x"]
map = { a = "x" }
plain = { key = "x", size = 1 }
single = { key = "x" }
many {
 key = "x"
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
map = { a = "" }
plain = { key = "", size = 1 }
single = { key = "" }
many {
 key = ""
 }
}
"#,
    ),
    case(
        "empty strings are replaced",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
map = { a = "" }
plain = { key = "", size = 1 }
single = { key = "" }
many {
 key = ""
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "y"
list = ["y"]
map = { a = "y" }
plain = { key = "y", size = 1 }
single = { key = "y" }
many {
 key = "y"
 }
}
"#,
    ),
    case(
        "empty strings are removed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
map = { a = "" }
single = { key = "" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"

}
"#,
    ),
    case(
        "empty strings are added",
        r#"resource "notes_kinds" "a" {
  name = "a"
flag = true
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
map = { a = "" }
single = { key = "" }
}
"#,
    ),
    case(
        "empty strings are destroyed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
map = { a = "" }
plain = { key = "", size = 1 }
single = { key = "" }
many {
 key = ""
 }
}
"#,
        "",
    ),
    case(
        "important attributes",
        r#"resource "notes_note" "a" {
 title = "a"
 text = "x"
 tags = { a = "1", b = "2" }
 author = { name = "Ada", email = "x" }
 links = [{ url = "u" }]
}
"#,
        r#"resource "notes_note" "a" {
 title = "a"
 text = "y"
 tags = { a = "1", b = "2" }
 author = { name = "Ada", email = "y" }
 links = [{ url = "u" }, { url = "v", weight = 2 }]
}
"#,
    ),
    case(
        "whitespace in JSON",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "{\"a\": 1}"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "{ \"a\": 1 }"
}
"#,
    ),
    case(
        "JSON string with another type",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode([1])
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = 1 })
}
"#,
    ),
    case(
        "JSON string in a list",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = [jsonencode({ a = 1 })]
fixed_list = [jsonencode({ a = 1 })]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
list = [jsonencode({ a = 2 }), "x"]
fixed_list = [jsonencode({ a = 2 })]
}
"#,
    ),
    case(
        "invalid JSON",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "{a"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "[b"
}
"#,
    ),
    case(
        "JSON string becomes unknown",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = { b = 1 } })
list = ["a", "b"]
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"
text = notes_kinds.b.id
list = [notes_kinds.b.id, "b"]
}
"#,
    ),
    case(
        "multi-line string forces replacement",
        r#"resource "notes_kinds" "a" {
  name = "a\nb"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a\nc"
}
"#,
    ),
    case(
        "JSON string forces replacement",
        r#"resource "notes_kinds" "a" {
  name = jsonencode({ a = 1 })
}
"#,
        r#"resource "notes_kinds" "a" {
  name = jsonencode({ a = 2 })
}
"#,
    ),
    case(
        "multi-line strings in collections",
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a\nb", "c"]
map = { a = "x\ny", b = "z" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
list = ["a\nc", "c"]
map = { a = "x\nz" }
}
"#,
    ),
    case(
        "multi-line string is destroyed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a\nb"
list = ["a\nb"]
}
"#,
        "",
    ),
    case(
        "JSON string is destroyed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = jsonencode({ a = [1, { b = 2 }] })
}
"#,
        "",
    ),
    case(
        "empty line at the end",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a\n\n"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a\n\nb"
}
"#,
    ),
    case(
        "last line break",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a\nb"
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "a\nb\n"
}
"#,
    ),
    case(
        "removed attributes of objects",
        r#"resource "notes_kinds" "a" {
  name = "a"
plain = { key = "k", size = 1 }
single = { key = "k", password = "p" }
any = { a = 1, b = 2 }
plain_map = { a = { key = "k", size = 1 } }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
plain = { key = "k", size = null }
single = { key = "k" }
any = { a = 1 }
plain_map = { a = { key = "k", size = null } }
}
"#,
    ),
    case(
        "numbers",
        r#"resource "notes_kinds" "a" {
  name = "a"
number = -0.125
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
number = 12345678901234567890
}
"#,
    ),
    case(
        "objects are added to collections",
        r#"resource "notes_kinds" "a" {
  name = "a"
plain_list = [{ key = "a", size = null }]
nested_list = [{ key = "a" }]
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
plain_list = [{ key = "b", size = null }, { key = "a", size = null }]
nested_list = [{ key = "b" }, { key = "a" }]
}
"#,
    ),
    case(
        "nested blocks",
        r#"resource "notes_kinds" "a" {
  name = "a"
many {
 key = "a"
 inner {
 value = "x"
 }
 inner {
 value = "y"
 }
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
many {
 key = "a"
 inner {
 value = "x"
 }
 }
}
"#,
    ),
    case(
        "data of Terraform",
        r#"resource "terraform_data" "a" {
 input = { a = [1] }
}
"#,
        r#"resource "terraform_data" "a" {
 input = { a = [2], b = "x" }
 triggers_replace = "x"
}
"#,
    ),
    case(
        "sensitive collections",
        r#"resource "notes_kinds" "a" {
  name = "a"
map = { a = "b" }
list = ["a", "b"]
any = { a = "x", b = "y" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
map = { a = sensitive("b"), c = sensitive("d") }
list = ["a", sensitive("c")]
any = { a = sensitive("x"), b = "z" }
}
"#,
    ),
    case(
        "sensitive collections are created",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
map = { a = sensitive("b"), c = "d" }
list = sensitive(["a"])
single = { key = sensitive("k") }
nested_list = [{ key = sensitive("k") }]
many {
 key = sensitive("k")
 }
 number = sensitive(1)
}
"#,
    ),
    case(
        "sensitive collections are destroyed",
        r#"resource "notes_kinds" "a" {
  name = "a"
map = { a = sensitive("b"), c = "d" }
list = sensitive(["a"])
single = { key = sensitive("k") }
many {
 key = sensitive("k")
 }
 number = sensitive(1)
}
"#,
        "",
    ),
    case(
        "sensitive blocks",
        r#"resource "notes_kinds" "a" {
  name = "a"
many {
 key = "a"
 }
one {
 key = "a"
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
many {
 key = sensitive("b")
 }
one {
 key = "b"
 }
}
"#,
    ),
    case(
        "outputs become sensitive",
        r#"output "a" {
 value = "x"
}
output "b" {
 value = { x = "y" }
}
"#,
        r#"output "a" {
 value = "x"
 sensitive = true
}
output "b" {
 value = { x = "z" }
 sensitive = true
}
"#,
    ),
    case(
        "outputs become null",
        r#"output "a" {
 value = "x"
}
output "b" {
 value = { x = "y" }
}
"#,
        r#"output "a" {
 value = null
}
output "b" {
 value = { x = null }
}
"#,
    ),
    case(
        "output with unknown parts",
        r#"resource "notes_kinds" "a" {
  name = "a"

}
output "a" {
 value = { id = "x", list = [1] }
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"

}
output "a" {
 value = { id = notes_kinds.b.id, list = [notes_kinds.b.id, 1] }
}
"#,
    ),
    case(
        "removed with count",
        r#"resource "notes_kinds" "a" {
  count = 1
  name = "a"
}
"#,
        r#"resource "notes_kinds" "a" {
  for_each = toset(["x"])
  name = "a"
}
"#,
    ),
    case(
        "set of unknown objects",
        r#"resource "notes_kinds" "a" {
  name = "a"
set = ["a", "b"]
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"
set = ["a", notes_kinds.b.id]
}
"#,
    ),
    case(
        "empty strings become unknown",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
set = [""]
map = { a = "" }
plain = { key = "", size = 1 }
plain_list = [{ key = "", size = 1 }]
single = { key = "" }
nested_list = [{ key = "" }]
nested_map = { a = { key = "" } }
one {
 key = ""
 }
many {
 key = ""
 inner {
 value = ""
 }
 }
}
"#,
        r#"resource "notes_kinds" "b" {
  name = "b"
}
resource "notes_kinds" "a" {
  name = "a"
text = notes_kinds.b.id
set = [notes_kinds.b.id]
map = { a = notes_kinds.b.id }
plain = { key = notes_kinds.b.id, size = 1 }
plain_list = [{ key = notes_kinds.b.id, size = 1 }]
single = { key = notes_kinds.b.id }
nested_list = [{ key = notes_kinds.b.id }]
nested_map = { a = { key = notes_kinds.b.id } }
one {
 key = notes_kinds.b.id
 }
many {
 key = notes_kinds.b.id
 inner {
 value = notes_kinds.b.id
 }
 }
}
"#,
    ),
    case(
        "empty strings everywhere are replaced",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
set = [""]
map = { a = "" }
plain = { key = "", size = 1 }
plain_list = [{ key = "", size = 1 }]
single = { key = "" }
nested_list = [{ key = "" }]
nested_map = { a = { key = "" } }
one {
 key = ""
 }
many {
 key = ""
 inner {
 value = ""
 }
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "x"
list = ["x"]
set = ["x"]
map = { a = "x" }
plain = { key = "x", size = 1 }
plain_list = [{ key = "x", size = 1 }]
single = { key = "x" }
nested_list = [{ key = "x" }]
nested_map = { a = { key = "x" } }
one {
 key = "x"
 }
many {
 key = "x"
 inner {
 value = "x"
 }
 }
}
"#,
    ),
    case(
        "empty strings everywhere are set",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = "x"
list = ["x"]
set = ["x"]
map = { a = "x" }
plain = { key = "x", size = 1 }
plain_list = [{ key = "x", size = 1 }]
single = { key = "x" }
nested_list = [{ key = "x" }]
nested_map = { a = { key = "x" } }
one {
 key = "x"
 }
many {
 key = "x"
 inner {
 value = "x"
 }
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
set = [""]
map = { a = "" }
plain = { key = "", size = 1 }
plain_list = [{ key = "", size = 1 }]
single = { key = "" }
nested_list = [{ key = "" }]
nested_map = { a = { key = "" } }
one {
 key = ""
 }
many {
 key = ""
 inner {
 value = ""
 }
 }
}
"#,
    ),
    case(
        "empty strings everywhere are created",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
set = [""]
map = { a = "" }
plain = { key = "", size = 1 }
plain_list = [{ key = "", size = 1 }]
single = { key = "" }
nested_list = [{ key = "" }]
nested_map = { a = { key = "" } }
one {
 key = ""
 }
many {
 key = ""
 inner {
 value = ""
 }
 }
}
"#,
    ),
    case(
        "empty strings everywhere are destroyed",
        r#"resource "notes_kinds" "a" {
  name = "a"
text = ""
list = [""]
set = [""]
map = { a = "" }
plain = { key = "", size = 1 }
plain_list = [{ key = "", size = 1 }]
single = { key = "" }
nested_list = [{ key = "" }]
nested_map = { a = { key = "" } }
one {
 key = ""
 }
many {
 key = ""
 inner {
 value = ""
 }
 }
}
"#,
        "",
    ),
    case(
        "empty strings in sensitive attributes",
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = ""
any = { a = "" }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = "x"
any = { a = "b" }
}
"#,
    ),
    case(
        "sensitive strings become empty",
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = "x"
single = { key = "k", password = "p" }
many {
 key = "k"
 password = "p"
 }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = ""
single = { key = "k", password = "" }
many {
 key = "k"
 password = ""
 }
}
"#,
    ),
    case(
        "sensitive empty strings are destroyed",
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = ""
single = { key = "k", password = "" }
many {
 key = "k"
 password = ""
 }
}
"#,
        "",
    ),
    case(
        "sensitive empty strings are created",
        "",
        r#"resource "notes_kinds" "a" {
  name = "a"
secret = ""
single = { key = "k", password = "" }
many {
 key = "k"
 password = ""
 }
}
"#,
    ),
    case(
        "strings with JSON or several lines are forced to be removed",
        r#"resource "notes_kinds" "a" {
  name = "a"
fixed_list = ["a\nb", "c"]
fixed_map = { a = jsonencode([1]) }
}
"#,
        r#"resource "notes_kinds" "a" {
  name = "a"
fixed_list = ["c"]
fixed_map = {}
}
"#,
    ),
];

/// The part of a plan's text in which Terraform prints the changes.
fn changes(text: &str) -> &str {
    for start in
        ["Terraform will perform the following actions:\n", "\nChanges to Outputs:", "\nNo changes. "]
    {
        if let Some(at) = text.find(start) {
            return text[at..].trim_start_matches("Terraform will perform the following actions:\n");
        }
    }
    text
}

#[test]
fn plans_are_printed_as_terraform_does() -> Result<()> {
    let only = std::env::var("CASE").ok();
    let mut failed = Vec::new();
    for host in Host::all() {
        for case in CASES.iter().filter(|it| only.as_ref().is_none_or(|only| it.name == only)) {
            let (workspace, _) = notes::workspace(&host, "plans")?;
            workspace.write("main.tf", case.first)?;
            workspace.apply()?;
            workspace.write("main.tf", case.second)?;
            let plan = workspace.plan()?;
            let (expected, printed) = (changes(plan.text()).trim(), plan.to_string());
            if expected != printed.trim() && !(plan.is_empty() && expected.starts_with(printed.trim())) {
                eprintln!("== {} on {host}: Terraform\n{expected}\n-- printed\n{printed}", case.name);
                failed.push(case.name);
            }
        }
    }
    assert_eq!(failed, [""; 0]);
    Ok(())
}
