//! What the program's own names of types stand for, so that values are shown by what they are.

use std::collections::BTreeMap;

use symcrete_ir::debug::{DebugInfo, DebugType};
use symcrete_testcase::value::{Shape, plain, shape};

/// Names and the types that they stand for; names with several meanings are left out.
pub struct Typedefs(BTreeMap<String, Option<String>>);

/// Longer chains of names are not worth following.
const LONGEST_CHAIN: usize = 16;

impl Typedefs {
    pub fn new(debug: &DebugInfo) -> Typedefs {
        let mut names: BTreeMap<String, Option<String>> = BTreeMap::new();
        for ty in debug.types.values() {
            let DebugType::Typedef { name, target: Some(target) } = ty else { continue };
            let meaning = Some(debug.type_name(*target));
            match names.get_mut(name) {
                Some(known) if *known == meaning => {}
                Some(known) => *known = None,
                None => {
                    names.insert(name.clone(), meaning);
                }
            }
        }
        Typedefs(names)
    }

    /// A type that says what its bytes are, where that is known; the type as it was otherwise.
    pub fn resolved(&self, of_type: &str) -> String {
        let mut of_type = plain(of_type);
        for _ in 0..LONGEST_CHAIN {
            let (name, rest) = of_type.split_at(of_type.find('[').unwrap_or(of_type.len()));
            let is_known = match shape(&of_type) {
                Shape::Array { element, .. } => shape(&element) != Shape::Other,
                other => other != Shape::Other,
            };
            match self.0.get(name.trim()) {
                // Brackets of a pointer to a function or an array would belong elsewhere.
                Some(Some(meaning)) if !is_known && (rest.is_empty() || !meaning.contains("(*")) => {
                    of_type = format!("{meaning}{rest}");
                }
                _ => break,
            }
        }
        of_type
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_followed_to_what_can_be_shown() {
        let mut debug = DebugInfo::default();
        let node = debug.types.push(DebugType::Struct { name: "node".to_owned(), members: Vec::new(), bits: 128 });
        let pointer = debug.types.push(DebugType::Pointer { target: Some(node), bits: 64 });
        let list = debug.types.push(DebugType::Typedef { name: "list".to_owned(), target: Some(pointer) });
        debug.types.push(DebugType::Typedef { name: "chain".to_owned(), target: Some(list) });
        for target in [node, pointer] {
            debug.types.push(DebugType::Typedef { name: "twofold".to_owned(), target: Some(target) });
        }
        let typedefs = Typedefs::new(&debug);
        for (ty, resolved) in [
            ("list", "struct node *"),
            ("const chain", "struct node *"),
            ("chain[2]", "struct node *[2]"),
            ("chain *", "chain *"),
            ("size_t", "size_t"),
            ("twofold", "twofold"),
            ("struct node", "struct node"),
        ] {
            assert_eq!(typedefs.resolved(ty), resolved);
        }
    }
}
