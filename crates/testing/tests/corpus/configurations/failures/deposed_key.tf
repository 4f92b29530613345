# A replacement destroys the object that it deposes, whatever the keys of other deposed objects are.
# show: sorted calls

# step: apply
resource "corpus_thing" "old" {
  for_each = toset(["a", "b"])
  name     = each.key
}

resource "corpus_thing" "new" {
  for_each   = corpus_thing.old
  name       = each.key
  depends_on = [corpus_thing.old]
}
# step: apply
resource "corpus_thing" "a" {
  name = "a"
  zone = "y"

  lifecycle {
    create_before_destroy = true
  }
}

resource "corpus_thing" "b" {
  name = "b"
  zone = "y"

  lifecycle {
    create_before_destroy = true
  }
}
# file: terraform.tfstate
{
  "version": 4,
  "terraform_version": "1.6.0",
  "serial": 9,
  "lineage": "00000000-0000-4000-8000-000000000000",
  "outputs": {},
  "resources": [
    {
      "mode": "managed", "type": "corpus_thing", "name": "a",
      "provider": "provider[\"registry.terraform.io/example/corpus\"]",
      "instances": [
        { "schema_version": 0, "attributes": {"name":"a","zone":"x","text":null,"size":10,"color":"blue","tags":null,"items":null,"labels":null,"fail":null,"id":"a-2","length":0,"revision":1,"service":"main"} },
        { "schema_version": 0, "deposed": "00000002", "attributes": {"name":"a","zone":"x","text":null,"size":10,"color":"blue","tags":null,"items":null,"labels":null,"fail":null,"id":"a-1","length":0,"revision":1,"service":"main"} }
      ]
    },
    {
      "mode": "managed", "type": "corpus_thing", "name": "b",
      "provider": "provider[\"registry.terraform.io/example/corpus\"]",
      "instances": [
        { "schema_version": 0, "attributes": {"name":"b","zone":"x","text":null,"size":10,"color":"blue","tags":null,"items":null,"labels":null,"fail":null,"id":"b-2","length":0,"revision":1,"service":"main"} },
        { "schema_version": 0, "deposed": "ffffffff", "attributes": {"name":"b","zone":"x","text":null,"size":10,"color":"blue","tags":null,"items":null,"labels":null,"fail":null,"id":"b-1","length":0,"revision":1,"service":"main"} }
      ]
    }
  ]
}
