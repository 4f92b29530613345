//! IP network functions.
//!
//! | function | result |
//! | --- | --- |
//! | `cidrhost(block, number)` | the address of a host in a block |
//! | `cidrnetmask(block)` | the netmask of an IPv4 block |
//! | `cidrsubnet(block, bits, number)` | a subnet with a longer prefix |
//! | `cidrsubnets(block, bits…)` | consecutive subnets |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"cidrhost("10.1.0.0/16", 5)"#)?, r#""10.1.0.5""#);
//! assert_eq!(show(r#"cidrnetmask("10.1.0.0/16")"#)?, r#""255.255.0.0""#);
//! assert_eq!(show(r#"cidrsubnet("10.1.0.0/16", 8, 2)"#)?, r#""10.1.2.0/24""#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use super::arguments::Treatment::Known;
use super::arguments::{Args, CallError, CallResult, Function, Kind, MANY, list, string};
use ferroform_value::{Type, Value};

pub(crate) const ALL: &[Function] = &[
    ("cidrhost", 2..=2, Known(&[Kind::String, Kind::Number], Kind::String), host),
    ("cidrnetmask", 1..=1, Known(&[Kind::String], Kind::String), netmask),
    ("cidrsubnet", 3..=3, Known(&[Kind::String, Kind::Number], Kind::String), subnet),
    ("cidrsubnets", 1..=MANY, Known(&[Kind::String, Kind::Number], Kind::Strings), subnets),
];

/// A CIDR block: the addresses with a common prefix.
#[derive(Clone, Copy)]
struct Block {
    /// The first address.
    first: u128,
    /// The length of the prefix, in bits.
    prefix: u32,
    /// The length of an address, in bits.
    width: u32,
}

impl Block {
    /// Parses `10.0.0.0/8`. The address can be any address of the block.
    fn parse(args: &mut Args<'_>) -> CallResult<Block> {
        let it = args.string()?;
        let invalid = || args.invalid("the CIDR block is not valid");
        let (address, prefix) = it.split_once('/').ok_or_else(invalid)?;
        let (address, width) = if !address.contains(':') {
            (v4(address).ok_or_else(invalid)?, 32)
        } else if address.contains('.') {
            // Terraform treats an IPv4 address within an IPv6 address sometimes as IPv4 and sometimes as IPv6.
            return Err(CallError::Undetermined);
        } else {
            (Ipv6Addr::from_str(address).map_err(|_| invalid())?.to_bits(), 128)
        };
        let prefix = digits(prefix).filter(|it| *it <= width).ok_or_else(invalid)?;
        let it = Block { first: address, prefix, width };
        Ok(Block { first: address & !it.last_bits(), ..it })
    }

    /// Returns the mask of the bits after the prefix.
    fn last_bits(self) -> u128 {
        1_u128.checked_shl(self.width - self.prefix).map_or(u128::MAX, |it| it - 1)
    }

    fn address(self, bits: u128) -> CallResult<String> {
        match self.width {
            32 => {
                Ok(Ipv4Addr::from_bits(u32::try_from(bits).map_err(|_| CallError::Undetermined)?).to_string())
            }
            _ if bits >> 32 == 0xffff => Err(CallError::Undetermined),
            _ => Ok(Ipv6Addr::from_bits(bits).to_string()),
        }
    }

    fn show(self) -> CallResult<String> {
        Ok(format!("{}/{}", self.address(self.first)?, self.prefix))
    }
}

/// Parses a decimal number, which can have leading zeros.
fn digits(string: &str) -> Option<u32> {
    string.bytes().all(|it| it.is_ascii_digit()).then(|| string.parse().ok()).flatten()
}

fn v4(string: &str) -> Option<u128> {
    let parts: Vec<u32> = string.split('.').map(digits).collect::<Option<_>>()?;
    let is_valid = parts.len() == 4 && parts.iter().all(|it| *it <= 255);
    is_valid.then(|| parts.into_iter().fold(0, |bits, it| bits << 8 | u128::from(it)))
}

fn host(args: &mut Args<'_>) -> CallResult {
    let block = Block::parse(args)?;
    let number = args.number()?;
    let number = number.to_i64().ok_or_else(|| match number.is_integer() {
        // Terraform returns incorrect results for integers of more than 64 bits.
        true => CallError::Undetermined,
        false => args.expected("a whole number"),
    })?;
    // A negative number counts from the end of the block.
    let number = u128::try_from(number).or_else(|_| {
        let offset = u128::from(number.unsigned_abs() - 1);
        block.last_bits().checked_sub(offset).ok_or(())
    });
    match number {
        Ok(it) if it <= block.last_bits() => Ok(string(block.address(block.first | it)?)),
        _ => Err(args.invalid("the host number does not exist in the CIDR block")),
    }
}

fn netmask(args: &mut Args<'_>) -> CallResult {
    let block = Block::parse(args)?;
    match block.width {
        32 => Ok(string(block.address(u128::from(u32::MAX) & !block.last_bits())?)),
        _ if block.first >> 32 == 0xffff => Err(CallError::Undetermined),
        _ => Err(args.invalid("only an IPv4 CIDR block has a netmask")),
    }
}

fn subnet(args: &mut Args<'_>) -> CallResult {
    let block = Block::parse(args)?;
    let (more, number) = (args.integer()?, args.number()?);
    if !number.is_integer() {
        return Err(args.expected("a whole number"));
    }
    // Terraform returns incorrect results for negative numbers and for integers of more than 64 bits.
    let (Ok(more), Some(number)) = (u32::try_from(more), number.to_u64()) else {
        return Err(CallError::Undetermined);
    };
    let prefix = block.prefix.saturating_add(more);
    if prefix > block.width {
        return Err(CallError::Argument(1, "the prefix would be longer than an address".into()));
    }
    if more < 64 && number >> more != 0 {
        return Err(args.invalid("the subnet number does not exist in the CIDR block"));
    }
    // If the prefix length is zero, the shift exceeds the width of the integer, and the subnet number is zero.
    let bits = u128::from(number).checked_shl(block.width - prefix).unwrap_or(0);
    Ok(string(Block { first: block.first | bits, prefix, ..block }.show()?))
}

/// `cidrsubnets`: returns consecutive blocks, each the first of its size after the previous one.
fn subnets(args: &mut Args<'_>) -> CallResult {
    let block = Block::parse(args)?;
    let mut blocks = Vec::new();
    let mut next = Some(block.first);
    while args.remaining() > 0 {
        let more = u32::try_from(args.integer()?).ok().filter(|it| (1..=32).contains(it));
        let more = more.ok_or_else(|| args.expected("a number of bits from 1 to 32"))?;
        let prefix = block.prefix + more;
        if prefix > block.width {
            return Err(args.invalid("the prefix would be longer than an address"));
        }
        let it = Block { prefix, ..block };
        let size = it.last_bits();
        let first = next.and_then(|at| at.checked_add(size)).map(|at| at & !size);
        // Terraform treats the address that consists of zeros as an overflow after the last address.
        let first = first.filter(|at| *at != 0 && *at & !block.last_bits() == block.first);
        let first = first.ok_or_else(|| args.invalid("the remaining address space is not sufficient"))?;
        let it = Block { first, ..it };
        blocks.push(Value::string(it.show()?));
        next = first.checked_add(size).and_then(|it| it.checked_add(1));
    }
    Ok(list(Type::String, blocks))
}
