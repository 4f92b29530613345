#![no_main]

use ferroform_lang::type_constraint::{self, Constraint};
use ferroform_lang::variable::Variable;
use ferroform_lang::{console, expression};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(input) = std::str::from_utf8(data) else { return };
    let _ = expression::attributes(input);
    let _ = Variable::declare(Some(input), input);
    let (constraint, value) = input.split_once('\0').unwrap_or((input, input));
    let value = expression::evaluate(value);
    if let Ok(it) = &value {
        console::show(it);
    }
    if let Ok(ty) = type_constraint::exact(constraint) {
        assert_eq!(type_constraint::exact(&type_constraint::print(&ty)), Ok(ty));
    }
    let Ok(constraint) = Constraint::parse(constraint) else { return };
    assert_eq!(
        type_constraint::constraint(&type_constraint::print(&constraint.ty)),
        Ok(constraint.ty.without_optional())
    );
    if let Ok(value) = value
        && let Ok(it) = constraint.fit(value)
    {
        assert!(it.ty.conforms_to(&constraint.ty.without_optional()));
        console::show(&it);
    }
});
