//! Enums with data, traits, closures, iterators, panics, slices, strings, 128-bit arithmetic.
use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum Expression {
    Number(f64),
    Name(String),
    Binary(Box<Expression>, char, Box<Expression>),
    Empty,
}

trait Evaluate {
    fn evaluate(&self, names: &BTreeMap<String, f64>) -> Result<f64, Failure>;
}

#[derive(Debug)]
enum Failure {
    Unknown(String),
    Division { by: f64 },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unknown(name) => write!(f, "unknown {name}"),
            Failure::Division { by } => write!(f, "division by {by}"),
        }
    }
}

impl Evaluate for Expression {
    fn evaluate(&self, names: &BTreeMap<String, f64>) -> Result<f64, Failure> {
        match self {
            Expression::Number(value) => Ok(*value),
            Expression::Name(name) => names.get(name).copied().ok_or_else(|| Failure::Unknown(name.clone())),
            Expression::Binary(left, operator, right) => {
                let (left, right) = (left.evaluate(names)?, right.evaluate(names)?);
                match operator {
                    '+' => Ok(left + right),
                    '*' => Ok(left * right),
                    '/' if right == 0.0 => Err(Failure::Division { by: right }),
                    '/' => Ok(left / right),
                    _ => unreachable!(),
                }
            }
            Expression::Empty => Ok(f64::NAN),
        }
    }
}

static GREETING: &str = "grüße";
static mut COUNTER: u128 = u128::MAX / 3;

fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn generic<T: PartialOrd + Copy>(items: &[T]) -> Option<T> {
    let mut items = items.iter().copied();
    let first = items.next()?;
    Some(items.fold(first, |best, item| if item > best { item } else { best }))
}

fn main() {
    let mut names = BTreeMap::new();
    names.insert("x".to_string(), 2.5);
    let tree = Expression::Binary(
        Box::new(Expression::Number(1.0)),
        '/',
        Box::new(Expression::Name(std::env::args().nth(1).unwrap_or_else(|| "x".into()))),
    );
    match tree.evaluate(&names) {
        Ok(value) => println!("{GREETING} {value} {}", checksum(GREETING.as_bytes())),
        Err(failure) => eprintln!("{failure}"),
    }
    unsafe { COUNTER = COUNTER.wrapping_add(7) };
    let boxed: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x + 1), Box::new(move |x| x * names.len() as i32)];
    let total: i32 = boxed.iter().map(|f| f(20)).sum();
    assert_eq!(generic(&[1.5, 2.5]), Some(2.5));
    std::process::exit(i32::from(total == 0 || tree == Expression::Empty));
}
