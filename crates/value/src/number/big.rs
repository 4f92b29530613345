//! A binary float of 512 bits, rounded to nearest even.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::error::NumberError;

/// The number of bits of the mantissa of a parsed number, as in Terraform.
pub(super) const PRECISION: u64 = 512;

/// The maximum exponent of two, in both directions: about 19,700 decimal digits. Terraform has no such limit, so
/// printing a number of ten bytes can take hours in Terraform.
pub(super) const MAX_EXPONENT: i64 = 1 << 16;

/// The largest exponent of five whose power is exact in the working precision. The rounding of a larger power affects
/// the last bit of the result, so it has to be the rounding of Terraform.
const EXACT_POWER: u64 = 248;

/// `mantissa * 2^exponent`, without a sign. The mantissa is odd unless the number is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Magnitude {
    pub(super) mantissa: BigUint,
    pub(super) exponent: i64,
}

impl Magnitude {
    pub(super) fn new(mantissa: BigUint, exponent: i64) -> Magnitude {
        let zeros = mantissa.trailing_zeros().unwrap_or(0);
        if zeros == 0 {
            Magnitude { mantissa, exponent }
        } else {
            Magnitude { mantissa: mantissa >> zeros, exponent: exponent + zeros as i64 }
        }
    }

    /// Returns `digits * 10^exp10 * 2^exp2`, rounded as Terraform's parser does.
    pub(super) fn from_decimal(digits: BigUint, exp10: i64, exp2: i64) -> Result<Magnitude, NumberError> {
        let top = (digits.bits() as i64).checked_add(exp10).and_then(|it| it.checked_add(exp2));
        // The factor of five to the power of `exp10` is not included yet. It can only increase the absolute value of
        // the exponent.
        if top.is_none_or(|it| it.abs() > MAX_EXPONENT) || exp10.abs() > MAX_EXPONENT {
            return Err(NumberError::OUT_OF_RANGE);
        }
        let exponent = exp10 + exp2;
        let (power, power_exponent) = power_of_five(exp10.unsigned_abs());
        let (mantissa, exponent) = if exp10 < 0 {
            // The quotient has two more bits than the result, so only whether the remainder is zero affects the
            // rounding.
            let shift = (PRECISION + 2 + power.bits()).saturating_sub(digits.bits());
            let dividend = digits << shift;
            let quotient = &dividend / &power;
            let inexact = &quotient * &power != dividend;
            rounded(quotient, exponent - power_exponent - shift as i64, inexact, PRECISION)
        } else {
            rounded(digits * power, exponent + power_exponent, false, PRECISION)
        };
        let it = Magnitude::new(mantissa, exponent);
        if it.top().abs() > MAX_EXPONENT { Err(NumberError::OUT_OF_RANGE) } else { Ok(it) }
    }

    /// Returns the exponent of the smallest power of two that is greater than the number.
    pub(super) fn top(&self) -> i64 {
        self.exponent + self.mantissa.bits() as i64
    }

    pub(super) fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Returns the number if it is an integer of at most 128 bits.
    pub(super) fn to_u128(&self) -> Option<u128> {
        if !self.is_integer() || self.top() > 128 {
            return None;
        }
        u128::try_from(&self.mantissa).ok()?.checked_shl(self.exponent as u32)
    }

    /// Returns the bits of the nearest IEEE float with `fraction` stored bits and `exponent` exponent bits.
    pub(super) fn to_ieee(&self, fraction: u32, exponent: u32) -> u64 {
        let infinity = ((1u64 << exponent) - 1) << fraction;
        let bias = (1i64 << (exponent - 1)) - 1;
        let least = 1 - bias - i64::from(fraction);
        if self.top() > bias + 1 {
            return infinity;
        }
        if self.top() < least || self.mantissa.bits() == 0 {
            return 0;
        }
        // The exponent of the last bit of the float. Subnormal numbers all have the least exponent.
        let last = (self.top() - i64::from(fraction) - 1).max(least);
        let cut = last - self.exponent;
        let kept = if cut <= 0 {
            low_bits(&self.mantissa) << -cut
        } else {
            let half = self.mantissa.bit(cut as u64 - 1);
            let kept = low_bits(&(&self.mantissa >> cut as u64));
            // The mantissa is odd, so a bit below the half is set unless the half is the lowest bit.
            kept + u64::from(half && (cut > 1 || kept & 1 == 1))
        };
        // The hidden bit of the mantissa adds one to the exponent field, and a carry adds one more.
        ((((last - least) as u64) << fraction) + kept).min(infinity)
    }

    pub(super) fn compare(&self, other: &Magnitude) -> Ordering {
        match (self.mantissa.bits(), other.mantissa.bits()) {
            (0, 0) => return Ordering::Equal,
            (0, _) => return Ordering::Less,
            (_, 0) => return Ordering::Greater,
            _ => {}
        }
        self.top().cmp(&other.top()).then_with(|| {
            // The tops are equal, so the exponents differ by at most the length of a mantissa.
            let low = self.exponent.min(other.exponent);
            let left = &self.mantissa << (self.exponent - low) as u64;
            left.cmp(&(&other.mantissa << (other.exponent - low) as u64))
        })
    }
}

fn low_bits(it: &BigUint) -> u64 {
    it.iter_u64_digits().next().unwrap_or(0)
}

/// Rounds a mantissa to a number of bits, half to even. `inexact` is true if digits below the last bit are already
/// lost.
pub(super) fn rounded(mantissa: BigUint, exponent: i64, inexact: bool, bits: u64) -> (BigUint, i64) {
    let Some(cut) = mantissa.bits().checked_sub(bits).filter(|&cut| cut > 0) else {
        return (mantissa, exponent);
    };
    let half = mantissa.bit(cut - 1);
    let more = inexact || mantissa.trailing_zeros().is_some_and(|zeros| zeros < cut - 1);
    let mut kept = mantissa >> cut;
    if half && (more || kept.bit(0)) {
        kept += 1u32;
    }
    (kept, exponent + cut as i64)
}

/// Returns five to the power of `n`, rounded as Terraform does for powers that exceed the precision.
fn power_of_five(n: u64) -> (BigUint, i64) {
    if n <= EXACT_POWER {
        return (BigUint::from(5u32).pow(n as u32), 0);
    }
    let (mut power, mut exponent) = (BigUint::from(5u32).pow(27), 0);
    let (mut factor, mut factor_exponent) = (BigUint::from(5u32), 0);
    let mut left = n - 27;
    while left > 0 {
        if left & 1 == 1 {
            (power, exponent) = rounded(power * &factor, exponent + factor_exponent, false, PRECISION + 64);
        }
        (factor, factor_exponent) = rounded(&factor * &factor, factor_exponent * 2, false, PRECISION + 128);
        left >>= 1;
    }
    (power, exponent)
}
