//! Reports: SARIF, GitHub annotations and JUnit.

use expect_test::{Expect, expect};
use ferroform_vars::Format;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::{output, report};

const FILES: &str = r#"TF_VAR_sise=1
-var size=x
@@ main.tf
variable "size" {
  type = number
}
variable "names" {
  type = list(object({ name = string }))
  validation {
    condition     = alltrue([for it in var.names : it.name != "é"])
    error_message = "100%: <no>,\nnever & \u0007"
  }
  validation {
    condition     = md5("x") != ""
    error_message = "wrong"
  }
}
@@ my values.auto.tfvars
names = [{ name = "👨‍👩‍👧", nmae = 1 }, {
  name = "é"
}]
"#;

fn check(format: Format, expected: Expect) {
    expected.assert_eq(&report(FILES).diagnostics_as(format));
}

#[test]
fn sarif_contains_rules_and_results() {
    check(
        Format::Sarif,
        expect![[r#"
        {
          "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
          "runs": [
            {
              "columnKind": "unicodeCodePoints",
              "results": [
                {
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "main.tf"
                        },
                        "region": {
                          "endColumn": 35,
                          "endLine": 11,
                          "startColumn": 21,
                          "startLine": 11
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "The condition for variable \"names\" must refer to var.names in order to test incoming values."
                  },
                  "ruleId": "invalid-variable-validation-condition"
                },
                {
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "main.tf"
                        },
                        "region": {
                          "startLine": 1
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "-var size:1:1: The value is not compatible with the variable's type constraint: var.size: a number is required. The type is number."
                  },
                  "ruleId": "invalid-value-for-input-variable"
                },
                {
                  "level": "error",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "my%20values.auto.tfvars"
                        },
                        "region": {
                          "endColumn": 2,
                          "endLine": 3,
                          "startColumn": 40,
                          "startLine": 1
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "100%: <no>,\nnever & \u0007 The validation at main.tf:6:3 rejects var.names[1]."
                  },
                  "ruleId": "invalid-value-for-variable"
                },
                {
                  "level": "warning",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "my%20values.auto.tfvars"
                        },
                        "region": {
                          "endColumn": 36,
                          "endLine": 1,
                          "startColumn": 35,
                          "startLine": 1
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "The type of var.names[0] has no attribute \"nmae\", so the attribute is ignored."
                  },
                  "ruleId": "undeclared-object-attribute"
                },
                {
                  "level": "note",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "main.tf"
                        },
                        "region": {
                          "startLine": 1
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "TF_VAR_sise is set, and the module has no variable \"sise\"; did you mean \"size\"?"
                  },
                  "ruleId": "value-for-undeclared-variable"
                },
                {
                  "level": "note",
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "main.tf"
                        },
                        "region": {
                          "endColumn": 13,
                          "endLine": 10,
                          "startColumn": 3,
                          "startLine": 10
                        }
                      }
                    }
                  ],
                  "message": {
                    "text": "A validation of variable \"names\" was not evaluated: it calls md5."
                  },
                  "ruleId": "validation-not-evaluated"
                }
              ],
              "tool": {
                "driver": {
                  "informationUri": "https://github.com/ferroform/ferroform",
                  "name": "ferroform-vars",
                  "rules": [
                    {
                      "fullDescription": {
                        "text": "Invalid value for input variable"
                      },
                      "help": {
                        "text": "Invalid value for input variable"
                      },
                      "id": "invalid-value-for-input-variable",
                      "shortDescription": {
                        "text": "Invalid value for input variable"
                      }
                    },
                    {
                      "fullDescription": {
                        "text": "Invalid value for variable"
                      },
                      "help": {
                        "text": "Invalid value for variable"
                      },
                      "id": "invalid-value-for-variable",
                      "shortDescription": {
                        "text": "Invalid value for variable"
                      }
                    },
                    {
                      "fullDescription": {
                        "text": "Invalid variable validation condition"
                      },
                      "help": {
                        "text": "Invalid variable validation condition"
                      },
                      "id": "invalid-variable-validation-condition",
                      "shortDescription": {
                        "text": "Invalid variable validation condition"
                      }
                    },
                    {
                      "fullDescription": {
                        "text": "Undeclared object attribute"
                      },
                      "help": {
                        "text": "Undeclared object attribute"
                      },
                      "id": "undeclared-object-attribute",
                      "shortDescription": {
                        "text": "Undeclared object attribute"
                      }
                    },
                    {
                      "fullDescription": {
                        "text": "Validation not evaluated"
                      },
                      "help": {
                        "text": "Validation not evaluated"
                      },
                      "id": "validation-not-evaluated",
                      "shortDescription": {
                        "text": "Validation not evaluated"
                      }
                    },
                    {
                      "fullDescription": {
                        "text": "Value for undeclared variable"
                      },
                      "help": {
                        "text": "Value for undeclared variable"
                      },
                      "id": "value-for-undeclared-variable",
                      "shortDescription": {
                        "text": "Value for undeclared variable"
                      }
                    }
                  ],
                  "semanticVersion": "0.1.0"
                }
              }
            }
          ],
          "version": "2.1.0"
        }
    "#]],
    );
}

/// The members that GitHub code scanning requires.
#[test]
fn sarif_has_the_required_members() {
    for files in [FILES, "@@ README.md\n", "@@ main.tf\nvariable \"a\" {}\n", "@@ main.tf\n"] {
        let log: Value = serde_json::from_str(&report(files).diagnostics_as(Format::Sarif)).unwrap();
        assert_eq!(log["version"], "2.1.0");
        assert!(log["$schema"].is_string());
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["name"], "ferroform-vars");
        let rules = driver["rules"].as_array().unwrap();
        for rule in rules {
            assert!(rule["id"].is_string());
            for text in ["shortDescription", "fullDescription", "help"] {
                assert!(rule[text]["text"].is_string(), "{rule}");
            }
        }
        for result in run["results"].as_array().unwrap() {
            assert!(rules.iter().any(|it| it["id"] == result["ruleId"]), "{result}");
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let location = &result["locations"][0]["physicalLocation"];
            assert!(!location["artifactLocation"]["uri"].as_str().unwrap().contains(' '));
            assert!(location["region"]["startLine"].as_u64().unwrap() > 0);
        }
    }
}

#[test]
fn github_commands_are_escaped() {
    check(
        Format::Github,
        expect![[r#"
        ::error file=main.tf,line=11,endLine=11,col=21,endColumn=35,title=Invalid variable validation condition::The condition for variable "names" must refer to var.names in order to test incoming values.
        ::error title=Invalid value for input variable::-var size:1:1: The value is not compatible with the variable's type constraint: var.size: a number is required. The type is number.
        ::error file=my values.auto.tfvars,line=1,endLine=3,title=Invalid value for variable::100%25: <no>,%0Anever &  The validation at main.tf:6:3 rejects var.names[1].
        ::warning file=my values.auto.tfvars,line=1,endLine=1,col=35,endColumn=36,title=Undeclared object attribute::The type of var.names[0] has no attribute "nmae", so the attribute is ignored.
        ::notice title=Value for undeclared variable::TF_VAR_sise is set, and the module has no variable "sise"; did you mean "size"?
        ::notice file=main.tf,line=10,endLine=10,col=3,endColumn=13,title=Validation not evaluated::A validation of variable "names" was not evaluated: it calls md5.
    "#]],
    );
}

#[test]
fn junit_contains_a_test_case_for_each_source() {
    check(
        Format::Junit,
        expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="ferroform-vars" tests="5" failures="3" errors="0">
          <testsuite name="ferroform-vars" tests="5" failures="3" errors="0">
            <testcase classname="ferroform-vars" name="main.tf" file="main.tf">
              <failure message="Invalid variable validation condition">main.tf:11:21: Invalid variable validation condition: The condition for variable &quot;names&quot; must refer to var.names in order to test incoming values.
        </failure>
              <system-out>main.tf:10:3: Validation not evaluated: A validation of variable &quot;names&quot; was not evaluated: it calls md5.
        </system-out>
            </testcase>
            <testcase classname="ferroform-vars" name="TF_VAR_sise"/>
            <testcase classname="ferroform-vars" name="my values.auto.tfvars" file="my values.auto.tfvars">
              <failure message="Invalid value for variable">my values.auto.tfvars:1:36: Invalid value for variable: 100%: &lt;no&gt;,
        never &amp; � The validation at main.tf:6:3 rejects var.names[1].
        </failure>
              <system-out>my values.auto.tfvars:1:31: Undeclared object attribute: The type of var.names[0] has no attribute &quot;nmae&quot;, so the attribute is ignored.
        </system-out>
            </testcase>
            <testcase classname="ferroform-vars" name="-var size">
              <failure message="Invalid value for input variable">-var size:1:1: Invalid value for input variable: The value is not compatible with the variable&apos;s type constraint: var.size: a number is required. The type is number.
        </failure>
            </testcase>
            <testcase classname="ferroform-vars" name="module">
              <system-out>Value for undeclared variable: TF_VAR_sise is set, and the module has no variable &quot;sise&quot;; did you mean &quot;size&quot;?
        </system-out>
            </testcase>
          </testsuite>
        </testsuites>
    "#]],
    );
}

#[test]
fn junit_is_well_formed() {
    for files in [FILES, "@@ README.md\n", "@@ main.tf\n"] {
        let xml = report(files).diagnostics_as(Format::Junit);
        let mut reader = Reader::from_str(&xml);
        let (mut cases, mut failures) = (0, 0);
        loop {
            match reader.read_event().unwrap() {
                Event::Start(element) | Event::Empty(element) => {
                    cases += usize::from(element.name().as_ref() == "testcase");
                    failures += usize::from(element.name().as_ref() == "failure");
                    for attribute in element.attributes() {
                        attribute.unwrap();
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        let counts = format!("tests=\"{cases}\" failures=\"{failures}\"");
        assert_eq!(xml.matches(&counts).count(), 2, "{xml}");
    }
}

/// Reports are printed to standard output, also if there are errors. Values are not part of them.
#[test]
fn reports_are_printed_to_the_standard_output() {
    for (module, code) in [("variable \"a\" {}\n", 1), ("variable \"a\" {\n  default = 123\n}\n", 0)] {
        for (format, start) in [("sarif", "{\n"), ("github", "::error "), ("junit", "<?xml ")] {
            let args = [&*format!("-format={format}")];
            let (actual, stdout, stderr) = output(&format!("@@ main.tf\n{module}"), &args);
            assert_eq!((actual, &*stderr), (code, ""));
            let is_empty = format == "github" && code == 0;
            assert!(if is_empty { stdout.is_empty() } else { stdout.starts_with(start) }, "{stdout}");
            assert!(!stdout.contains("123"));
        }
    }
}
