//! Functions that scripts may declare: those of `<math.h>`, as the engine's table has them, and the parts of what they
//! give.

use std::rc::Rc;

use symcrete_exec::libm::{self, Kind, Parameter, Part};
use symcrete_expr::{Bits, FloatKind, dag};
use symcrete_solver::smtlib::{Signature, Unresolved, ValueSort};

/// The function of C that fits the sorts: under the name that is given, or of the family of that name for `float` or
/// `long double`.
pub fn resolve(signature: &Signature) -> Result<dag::Function, Unresolved> {
    let (base, part) = Part::of_name(signature.name);
    let family = ["", "f", "l"].map(|suffix| libm::function(&format!("{base}{suffix}")));
    let known = family.into_iter().flatten().filter(|known| !known.signature().parameters.contains(&Parameter::Text));
    let known: Vec<&'static libm::Function> = known.filter(|known| part.kind(known).is_some()).collect();
    match known.iter().find(|known| fits(known, part, signature)) {
        Some(function) => Ok(callable(function, part)),
        None => Err(known.first().map_or(Unresolved::Name, |known| Unresolved::Sorts(described(known, part)))),
    }
}

/// The number that a parameter takes; none if it is a pointer to a result.
fn taken(parameter: Parameter) -> Option<Kind> {
    match parameter {
        Parameter::Value(kind) | Parameter::Input(kind) => Some(kind),
        Parameter::Output(_) | Parameter::Text => None,
    }
}

/// In calls that the engine makes, a word stands in the place of a pointer to a result.
const POINTER: ValueSort = ValueSort::Bits(64);

fn fits(function: &libm::Function, part: Part, declared: &Signature) -> bool {
    let parameters = &function.signature().parameters;
    let numbers = || parameters.iter().filter_map(|parameter| taken(*parameter));
    let all = parameters.len() == declared.parameters.len();
    let arguments_fit = if all {
        let pairs = parameters.iter().zip(declared.parameters);
        pairs.into_iter().all(|(own, sort)| taken(*own).map_or(*sort == POINTER, |kind| holds(*sort, kind)))
    } else {
        numbers().count() == declared.parameters.len()
            && numbers().zip(declared.parameters).all(|(kind, sort)| holds(*sort, kind))
    };
    let result = declared.result;
    // Programs with 32-bit longs use the low half.
    let half_long = |kind| kind == Kind::Long && result == ValueSort::Bits(32);
    arguments_fit && part.kind(function).is_some_and(|kind| holds(result, kind) || half_long(kind))
}

/// Whether a sort is that of a number, or of its bits.
fn holds(sort: ValueSort, kind: Kind) -> bool {
    sort == natural_sort(kind) || sort == ValueSort::Bits(kind.bits())
}

fn natural_sort(kind: Kind) -> ValueSort {
    match kind {
        Kind::Single => ValueSort::Float(FloatKind::Single),
        Kind::Double => ValueSort::Float(FloatKind::Double),
        Kind::X87 => ValueSort::Float(FloatKind::X87),
        Kind::Int | Kind::Long | Kind::LongLong => ValueSort::Bits(kind.bits()),
    }
}

fn described(function: &libm::Function, part: Part) -> String {
    let numbers = function.signature().parameters.iter().filter_map(|parameter| taken(*parameter));
    let sorts: Vec<String> = numbers.map(|kind| natural_sort(kind).to_string()).collect();
    let result = part.kind(function).map_or_else(String::new, |kind| natural_sort(kind).to_string());
    format!("takes ({}) and gives {result}", sorts.join(" "))
}

fn callable(function: &'static libm::Function, part: Part) -> dag::Function {
    let evaluate = move |values: &[Bits], width: u32| {
        let parameters = &function.signature().parameters;
        let mut given = values.iter().map(Bits::low_u128);
        let all = values.len() == parameters.len();
        let slots: Vec<u128> = parameters
            .iter()
            .map(|parameter| if all || taken(*parameter).is_some() { given.next().unwrap_or(0) } else { 0 })
            .collect();
        Bits::from_u128(width, part.of(&function.call(&slots)))
    };
    dag::Function { name: part.name(function.name()), evaluate: Rc::new(evaluate) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINGLE: ValueSort = ValueSort::Float(FloatKind::Single);
    const DOUBLE: ValueSort = ValueSort::Float(FloatKind::Double);
    const EXTENDED: ValueSort = ValueSort::Float(FloatKind::X87);

    fn resolved(name: &str, parameters: &[ValueSort], result: ValueSort) -> Result<dag::Function, Unresolved> {
        resolve(&Signature { name, parameters, result })
    }

    fn name_of(name: &str, parameters: &[ValueSort], result: ValueSort) -> Option<String> {
        resolved(name, parameters, result).ok().map(|function| function.name)
    }

    #[test]
    fn a_name_means_the_function_of_its_sorts() {
        for (sort, name) in [(DOUBLE, "sin"), (SINGLE, "sinf"), (EXTENDED, "sinl")] {
            assert_eq!(name_of("sin", &[sort], sort).as_deref(), Some(name));
            assert_eq!(name_of(name, &[ValueSort::Bits(sort.width())], sort).as_deref(), Some(name));
        }
        assert_eq!(name_of("lrint", &[SINGLE], ValueSort::Bits(64)).as_deref(), Some("lrintf"));
        assert_eq!(name_of("ldexp", &[DOUBLE, ValueSort::Bits(32)], DOUBLE).as_deref(), Some("ldexp"));
        assert_eq!(name_of("pow", &[DOUBLE, SINGLE], DOUBLE), None);
    }

    #[test]
    fn every_function_of_numbers_is_found_under_its_name() {
        for function in libm::functions() {
            let signature = function.signature();
            let Some(result) = signature.result.filter(|_| !signature.parameters.contains(&Parameter::Text)) else {
                continue;
            };
            let kinds = signature.parameters.iter().filter_map(|parameter| taken(*parameter));
            let sorts: Vec<ValueSort> = kinds.map(natural_sort).collect();
            let found = name_of(function.name(), &sorts, natural_sort(result));
            assert_eq!(found.as_deref(), Some(function.name()));
        }
    }

    #[test]
    fn parts_of_an_outcome_are_functions_with_or_without_the_place_of_the_pointer() {
        let eight = Bits::from_u64(64, 8.0_f64.to_bits());
        let nowhere = Bits::zero(64);
        let exponent = resolved("frexp.0", &[DOUBLE], ValueSort::Bits(32)).ok();
        let exponent = exponent.expect("frexp gives an int through its pointer");
        assert_eq!((exponent.evaluate)(std::slice::from_ref(&eight), 32), Bits::from_u64(32, 4));
        assert_eq!((exponent.evaluate)(&[eight, nowhere], 32), Bits::from_u64(32, 4));
        assert!(name_of("frexp.0", &[ValueSort::Bits(64), POINTER], ValueSort::Bits(32)).is_some());
        let huge = Bits::from_u64(64, 1e10_f64.to_bits());
        let errno = resolved("exp.errno", &[DOUBLE], ValueSort::Bits(32)).ok();
        let errno = errno.expect("every function may set errno");
        assert_ne!((errno.evaluate)(&[huge], 32), Bits::zero(32));
        assert_eq!(name_of("exp.0", &[DOUBLE], DOUBLE), None);
    }

    #[test]
    fn what_is_not_a_function_is_told_from_one_with_other_sorts() {
        assert_eq!(resolved("sine", &[DOUBLE], DOUBLE).err(), Some(Unresolved::Name));
        let takes = "takes ((_ FloatingPoint 11 53)) and gives (_ FloatingPoint 11 53)";
        assert_eq!(resolved("sin", &[DOUBLE, DOUBLE], DOUBLE).err(), Some(Unresolved::Sorts(takes.to_owned())));
        assert_eq!(resolved("nan", &[DOUBLE], DOUBLE).err(), Some(Unresolved::Name));
    }
}
