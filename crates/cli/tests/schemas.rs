//! What `--json` prints, and the tests that are written, fit the schemas that `symcrete schema` prints, and those leave nothing out.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{run, symcrete};

/// A checker of the few words of JSON Schema that ours use. Beyond the standard, an object may have no key that its schema does not name.
struct Schema(Value);

impl Schema {
    fn of(document: &str) -> Schema {
        let shown = run(symcrete().args(["schema", document]), b"");
        assert_eq!(shown.status, 0, "{shown:?}");
        let schema: Value = serde_json::from_slice(&shown.stdout).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        Schema(schema)
    }

    fn accepts(&self, value: &Value) {
        if let Err(reason) = self.check(value, &self.0, "$") {
            panic!("{reason}\n{value:#}");
        }
    }

    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.resolved(self.0.pointer(reference.strip_prefix('#').unwrap()).unwrap()),
            None => schema,
        }
    }

    fn check(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        self.fits(value, schema, at)?;
        let Some(object) = value.as_object() else { return Ok(()) };
        let mut names = BTreeSet::new();
        self.names(value, schema, &mut names);
        match object.keys().find(|key| !names.contains(*key)) {
            Some(key) => Err(format!("{at}: `{key}` is not in the schema")),
            None => Ok(()),
        }
    }

    /// The keys that a schema names for this object.
    fn names(&self, value: &Value, schema: &Value, names: &mut BTreeSet<String>) {
        let schema = self.resolved(schema);
        names.extend(schema["properties"].as_object().into_iter().flatten().map(|(key, _)| key.clone()));
        for word in ["anyOf", "oneOf", "allOf"] {
            for part in schema[word].as_array().into_iter().flatten() {
                if self.fits(value, part, "").is_ok() {
                    self.names(value, part, names);
                }
            }
        }
    }

    fn fits(&self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let schema = self.resolved(schema);
        let wrong = |reason: &str| Err(format!("{at}: {value} {reason} {schema}"));
        let types: Vec<&str> = match &schema["type"] {
            Value::String(one) => vec![one],
            several => several.as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
        };
        let is_of = |name: &&str| match *name {
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "null" => value.is_null(),
            other => panic!("unknown type {other}"),
        };
        if !types.is_empty() && !types.iter().any(is_of) {
            return wrong("is not of the type of");
        }
        if schema["enum"].as_array().is_some_and(|list| !list.contains(value)) {
            return wrong("is not one of");
        }
        if schema.get("const").is_some_and(|wanted| wanted != value) {
            return wrong("is not");
        }
        for word in ["anyOf", "oneOf"] {
            if let Some(list) = schema[word].as_array() {
                let fitting = list.iter().filter(|part| self.fits(value, part, at).is_ok()).count();
                if fitting == 0 || word == "oneOf" && fitting > 1 {
                    return wrong("does not fit");
                }
            }
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.fits(value, part, at)?;
        }
        for (key, inner) in value.as_object().into_iter().flatten() {
            if let Some(schema) = schema["properties"].get(key) {
                self.check(inner, schema, &format!("{at}.{key}"))?;
            }
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        if let Some(object) = value.as_object() {
            for key in required {
                if !object.contains_key(key) {
                    return wrong(&format!("has no `{key}`, which is required by"));
                }
            }
        }
        let first = schema["prefixItems"].as_array().map_or(0, Vec::len);
        for (number, inner) in value.as_array().into_iter().flatten().enumerate() {
            let schema = if number < first { &schema["prefixItems"][number] } else { &schema["items"] };
            if !schema.is_null() {
                self.check(inner, schema, &format!("{at}[{number}]"))?;
            }
        }
        Ok(())
    }
}

const PROGRAM: &str = "#include <klee/klee.h>
#include <string.h>
extern int table[];
int lex(int c) { return c > 4 ? c / 2 : c; }
int parse(int a) { return lex(a) == 3 ? 1 : 0; }
int never(void) { return 3; }
int main(void) {
    int x;
    char text[4];
    klee_make_symbolic(&x, sizeof x, \"x\");
    klee_make_symbolic(text, sizeof text, \"text\");
    if (x > 3 && x < 3)
        return 9;
    if (text[0] == '\\n')
        return parse(x);
    return 100 / x;
}
";

fn json(folder: &Path, words: &[&str]) -> Value {
    let shown = run(symcrete().current_dir(folder).args(words).arg("--json"), b"");
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}: {shown:?}"))
}

#[test]
fn real_output_fits_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.c"), PROGRAM).unwrap();

    let schema = Schema::of("cover");
    let covered = json(folder, &["cover", "p.c", "--format", "c"]);
    schema.accepts(&covered);
    assert_eq!((&covered["version"], &covered["findings"][0]["confirmed_by"]), (&1.into(), &"replay".into()));
    assert!(!covered["coverage"]["uncovered"].as_array().unwrap().is_empty(), "{covered}");
    schema.accepts(&json(folder, &["cover", "p.c", "--out", "lazy", "--mode", "lazy", "--no-replay"]));
    schema.accepts(&json(folder, &["cover", "p.c", "--out", "limit", "--max-steps", "20", "--max-paths", "2"]));

    let schema = Schema::of("test");
    for entry in fs::read_dir(folder.join("symcrete-out/tests")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            schema.accepts(&serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
        }
    }
    json(folder, &["cover", "p.c", "--entry", "parse", "--out", "function"]);
    schema.accepts(&serde_json::from_slice(&fs::read(folder.join("function/tests/000001.json")).unwrap()).unwrap());

    let schema = Schema::of("replay");
    let replayed = json(folder, &["replay", "symcrete-out", "p.c"]);
    schema.accepts(&replayed);
    assert_eq!(replayed["version"], 1);

    let schema = Schema::of("reach");
    for (verdict, words) in [
        ("reached", &["reach", "p.c:15"][..]),
        ("unreachable", &["reach", "p.c:13"]),
        ("no-code", &["reach", "p.c:3"]),
        ("unknown", &["reach", "p.c:15", "--max-steps", "5", "--mode", "forward", "--no-burst", "--no-climb"]),
    ] {
        let reached = json(folder, words);
        schema.accepts(&reached);
        assert_eq!((&reached["verdict"], &reached["version"]), (&verdict.into(), &1.into()), "{reached}");
    }
    let both = json(folder, &["reach", "p.c:15", "p.c:13"]);
    schema.accepts(&both);
    assert_eq!(both["targets"].as_array().unwrap().len(), 2);

    Schema::of("doctor").accepts(&json(folder, &["doctor"]));
}

#[test]
fn a_schema_describes_its_fields() {
    let schema = Schema::of("cover").0;
    assert_eq!(schema["title"], "CoverDocument");
    assert_eq!(schema["properties"]["pending"]["description"], "Number of paths that were not followed.");
    let all: Value = serde_json::from_slice(&run(symcrete().arg("schema"), b"").stdout).unwrap();
    assert_eq!(all["cover"], schema);
    assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), ["cover", "doctor", "reach", "replay", "test"]);
    let shown = run(symcrete().args(["schema", "covr"]), b"");
    assert!(shown.status == 2 && shown.stderr.contains("a similar value exists: 'cover'"), "{shown:?}");
}
