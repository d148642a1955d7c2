//! The strategies by name, and how `--search` is read.

use super::{Generational, Interleaved, Ordered, Random, RandomPath, Strategy, Subpath, Ties, Weighted, weighted};

/// What `--search` means when it is not given. `combined` alone starves paths whose subpaths are common: on whole programs the three in
/// turns cover more than any of them (tools/compare-strategies --whole).
pub const DEFAULT: &str = "combined,random-path,md2u";

type Make = fn(&[&str], Random) -> Option<Box<dyn Strategy>>;

/// A strategy that can be asked for.
pub struct Row {
    pub name: &'static str,
    /// What stands behind the name.
    pub arguments: &'static str,
    /// In a line, for `--help`.
    pub summary: &'static str,
    /// Makes one from its arguments; `None` if they do not fit.
    make: Make,
}

/// All of them. Lists of them take turns.
pub const STRATEGIES: &[Row] = &[
    Row {
        name: "combined",
        arguments: "[:latest]",
        summary: "subpath 1, 2, 4 and 8 in turns",
        make: |arguments, random| combined(ties(arguments)?, random),
    },
    Row {
        name: "subpath",
        arguments: ":N[:latest]",
        summary: "the path whose last N branches were travelled least; ties at random, or to the latest path",
        make: |arguments, random| {
            let (length, rest) = arguments.split_first()?;
            let length = length.parse().ok().filter(|length| *length > 0)?;
            Some(Box::new(Subpath::new(length, ties(rest)?, random)))
        },
    },
    Row {
        name: "dfs",
        arguments: "",
        summary: "the latest path: depth first",
        make: |arguments, _| plain(arguments, Ordered::depth_first),
    },
    Row {
        name: "bfs",
        arguments: "",
        summary: "the oldest path: breadth first",
        make: |arguments, _| plain(arguments, Ordered::breadth_first),
    },
    Row {
        name: "generational",
        arguments: "",
        summary: "what runs left pending, the run that covered most first: SAGE's search, for --mode concolic",
        make: |arguments, _| plain(arguments, Generational::default),
    },
    Row {
        name: "random-path",
        arguments: "",
        summary: "a random way down the execution tree",
        make: |arguments, random| plain(arguments, || RandomPath::new(random)),
    },
    Row {
        name: "random-state",
        arguments: "",
        summary: "any path, all equally likely",
        make: |arguments, random| plain(arguments, || Weighted::new(weighted::equal, random)),
    },
    Row {
        name: "covnew",
        arguments: "",
        summary: "at random, favouring paths that covered new code lately or are close to some",
        make: |arguments, random| plain(arguments, || Weighted::new(weighted::covering_new, random)),
    },
    Row {
        name: "md2u",
        arguments: "",
        summary: "at random, favouring a small minimum distance to uncovered code",
        make: |arguments, random| plain(arguments, || Weighted::new(weighted::distance, random)),
    },
    Row {
        name: "depth",
        arguments: "",
        summary: "at random, each fork halving a path's chance",
        make: |arguments, random| plain(arguments, || Weighted::new(weighted::depth, random)),
    },
    Row {
        name: "icnt",
        arguments: "",
        summary: "at random, favouring instructions that were executed seldom (instruction count)",
        make: |arguments, random| plain(arguments, || Weighted::new(weighted::instruction_count, random)),
    },
    Row {
        name: "query-cost",
        arguments: "",
        summary: "at random, favouring paths whose queries were cheap",
        make: |arguments, random| plain(arguments, || Weighted::new(weighted::query_cost, random)),
    },
];

/// Why a text names no strategy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnknownStrategy {
    #[error("there is no search strategy `{given}`{}; there are {}", did_you_mean(.nearest), names())]
    Name { given: String, nearest: Option<&'static str> },
    #[error("the search strategy `{given}` does not fit `{expected}`{}", where_n_is(.expected))]
    Arguments { given: String, expected: String },
    #[error("a search strategy is missing; there are {}", names())]
    Missing,
}

/// Reads a strategy, or several with commas between them, which then take turns.
pub fn parse(text: &str, seed: u64) -> Result<Box<dyn Strategy>, UnknownStrategy> {
    let mut random = Random::new(seed);
    let mut members: Vec<Box<dyn Strategy>> =
        text.split(',').map(|one| parse_one(one.trim(), random.split())).collect::<Result<_, _>>()?;
    match members.pop() {
        Some(only) if members.is_empty() => Ok(only),
        Some(last) => {
            members.push(last);
            Ok(Box::new(Interleaved::new(members)))
        }
        None => Err(UnknownStrategy::Missing),
    }
}

fn parse_one(text: &str, random: Random) -> Result<Box<dyn Strategy>, UnknownStrategy> {
    if text.is_empty() {
        return Err(UnknownStrategy::Missing);
    }
    let parts: Vec<&str> = text.split(':').collect();
    let Some(row) = STRATEGIES.iter().find(|row| row.name == parts[0]) else {
        return Err(UnknownStrategy::Name { given: text.to_owned(), nearest: nearest(&parts) });
    };
    (row.make)(&parts[1..], random)
        .ok_or_else(|| UnknownStrategy::Arguments { given: text.to_owned(), expected: row.usage() })
}

impl Row {
    /// As it is typed.
    pub fn usage(&self) -> String {
        format!("{}{}", self.name, self.arguments)
    }
}

fn plain<S: Strategy + 'static>(arguments: &[&str], make: impl FnOnce() -> S) -> Option<Box<dyn Strategy>> {
    arguments.is_empty().then(|| Box::new(make()) as Box<dyn Strategy>)
}

fn ties(arguments: &[&str]) -> Option<Ties> {
    match arguments {
        [] => Some(Ties::Random),
        ["latest"] => Some(Ties::Latest),
        _ => None,
    }
}

fn combined(ties: Ties, mut random: Random) -> Option<Box<dyn Strategy>> {
    let lengths = [1, 2, 4, 8];
    let members = lengths.map(|length| Box::new(Subpath::new(length, ties, random.split())) as Box<dyn Strategy>);
    Some(Box::new(Interleaved::new(members.into())))
}

fn names() -> String {
    STRATEGIES.iter().map(Row::usage).collect::<Vec<_>>().join(", ")
}

fn did_you_mean(nearest: &Option<&'static str>) -> String {
    nearest.map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

fn where_n_is(expected: &str) -> &'static str {
    if expected.contains(":N") { ", N being 1 or more" } else { "" }
}

/// The strategy that one of the parts (KLEE writes `nurs:covnew`) resembles most, if any does.
fn nearest(parts: &[&str]) -> Option<&'static str> {
    let distance = |name: &str| parts.iter().map(|part| edit_distance(part, name)).min().unwrap_or(usize::MAX);
    let closest = STRATEGIES.iter().map(|row| (distance(row.name), row.name)).min_by_key(|(distance, _)| *distance)?;
    // Past half of the letters, it is another word.
    (2 * closest.0 <= closest.1.len()).then_some(closest.1)
}

/// How many letters to insert, remove, replace, or swap with their neighbour.
fn edit_distance(from: &str, to: &str) -> usize {
    let letters = |word: &str| word.to_lowercase().chars().collect::<Vec<char>>();
    let (from, to) = (letters(from), letters(to));
    // `away[i][j]`: from the first i letters of one to the first j of the other.
    let mut away = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            away[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = away[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
                let least = replaced.min(away[i - 1][j] + 1).min(away[i][j - 1] + 1);
                let swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
                if swapped { least.min(away[i - 2][j - 2] + 1) } else { least }
            };
        }
    }
    away[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn problem(text: &str) -> String {
        parse(text, 1).err().unwrap().to_string()
    }

    #[test]
    fn every_name_is_understood() {
        for row in STRATEGIES {
            let arguments = row.arguments.replace(":N", ":3").replace("[:latest]", "");
            assert!(parse(&format!("{}{arguments}", row.name), 1).is_ok(), "{}", row.name);
        }
        for text in
            [DEFAULT, "subpath:1:latest", "subpath:64", "subpath:2, random-path", "combined:latest,dfs,combined"]
        {
            assert!(parse(text, 1).is_ok(), "{text}");
        }
    }

    #[test]
    fn wrong_names_get_a_hint() {
        let nearest = |text: &str| match parse(text, 1) {
            Err(UnknownStrategy::Name { nearest, .. }) => nearest,
            _ => panic!("{text} is a strategy"),
        };
        assert_eq!(nearest("dsf"), Some("dfs"));
        assert_eq!(nearest("DFS"), Some("dfs"));
        assert_eq!(nearest("randompath"), Some("random-path"));
        assert_eq!(nearest("nurs:covnew"), Some("covnew"));
        assert_eq!(nearest("bfs,subpaths:2"), Some("subpath"));
        assert_eq!(nearest("quantum"), None);
        assert!(problem("qery-cost").contains("did you mean `query-cost`?"));
        assert!(problem("quantum").ends_with(&names()));
    }

    #[test]
    fn arguments_must_fit() {
        for bad in
            ["subpath", "subpath:", "subpath:0", "subpath:-1", "subpath:x", "subpath:1:first", "subpath:1:latest:2"]
        {
            assert_eq!(
                problem(bad),
                format!("the search strategy `{bad}` does not fit `subpath:N[:latest]`, N being 1 or more")
            );
        }
        assert_eq!(problem("dfs:1"), "the search strategy `dfs:1` does not fit `dfs`");
        for missing in ["", "dfs,", ",", " , dfs"] {
            assert!(problem(missing).starts_with("a search strategy is missing; there are combined"), "{missing}");
        }
    }

    #[test]
    fn distances_between_words() {
        for (from, to, distance) in
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("ab", "ba", 1)]
        {
            assert_eq!(edit_distance(from, to), distance);
            assert_eq!(edit_distance(to, from), distance);
        }
    }
}
