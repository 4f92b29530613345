//! The generator of Go's `math/rand` package, so that a seed produces the same results as in the original provider.
//!
//! It is an additive lagged Fibonacci generator: each number is the sum of two earlier ones, `x[n] = x[n-607] + x[n-273]`,
//! modulo 2^64. Go combines the seed with a table of 607 numbers, the state of the same generator after 7.8e12 steps. This
//! module computes the table instead of copying it: see [`compute_table`].

use std::sync::LazyLock;

use crc::{CRC_64_GO_ISO, Crc};
use ferroform::{Context as _, Result};
use rand::TryRng as _;
use rand::rngs::SysRng;

const LENGTH: usize = 607;
const TAP: usize = 273;

/// The number of steps after which the state of the generator is the table.
const STEPS: u64 = 7_800_000_000_000;

/// The index of the oldest number before the first step. Go fills its array of numbers from the end.
const OLDEST: usize = 2 * LENGTH - TAP - 1;

static TABLE: LazyLock<Vec<u64>> = LazyLock::new(compute_table);

/// The generator.
pub(crate) struct GoRand {
    /// The last 607 numbers, as a ring buffer.
    numbers: Vec<u64>,
    /// The index of the oldest number.
    oldest: usize,
}

impl GoRand {
    /// Returns the generator for the attribute `seed`. If it is omitted or empty, each generator has a different seed.
    pub(crate) fn for_attribute(seed: Option<&str>) -> Result<GoRand> {
        let seed = match seed {
            Some(seed) if !seed.is_empty() => Crc::<u64>::new(&CRC_64_GO_ISO).checksum(seed.as_bytes()),
            _ => SysRng.try_next_u64().context("Random Read Error")?,
        };
        Ok(GoRand::new(seed.cast_signed()))
    }

    fn new(seed: i64) -> GoRand {
        let numbers = seed_state(seed, 20).into_iter().zip(&*TABLE).map(|(number, table)| number ^ table);
        GoRand { numbers: numbers.collect(), oldest: 0 }
    }

    fn next(&mut self) -> u64 {
        let tap = self.numbers[(self.oldest + LENGTH - TAP) % LENGTH];
        let next = self.numbers[self.oldest].wrapping_add(tap);
        self.numbers[self.oldest] = next;
        self.oldest = (self.oldest + 1) % LENGTH;
        next
    }

    /// Returns a number from 0 to `limit - 1`, as Go's `Intn` does. The limit must be positive.
    pub(crate) fn below(&mut self, limit: i64) -> i64 {
        // Go uses the upper 31 of the 63 bits for small limits.
        let (bits, shift) = if limit < 1 << 31 { (31, 32) } else { (63, 0) };
        let limit = limit.cast_unsigned();
        let mut number = || (self.next() << 1) >> (shift + 1);
        if limit.is_power_of_two() {
            return (number() & (limit - 1)).cast_signed();
        }
        // Numbers at the end of the range would make small remainders more frequent.
        let range = 1 << bits;
        let end = range - range % limit;
        loop {
            let number = number();
            if number < end {
                return (number % limit).cast_signed();
            }
        }
    }

    /// Returns the numbers below `length` in random order, as Go's `Perm` does.
    pub(crate) fn permutation(&mut self, length: usize) -> Vec<usize> {
        let mut numbers = Vec::with_capacity(length);
        for number in 0..length {
            // An index that is smaller than a length fits into 63 bits.
            let index = self.below(number as i64 + 1) as usize;
            numbers.push(number);
            numbers.swap(index, number);
        }
        numbers
    }
}

/// Returns the numbers that Go derives from a seed, from the oldest to the newest. Each number combines three 31-bit numbers of
/// a linear congruential generator by shifts.
fn seed_state(seed: i64, shift: u32) -> Vec<u64> {
    const MODULUS: u64 = (1 << 31) - 1;
    let seed = match seed.rem_euclid(MODULUS as i64).cast_unsigned() {
        0 => 89_482_311,
        seed => seed,
    };
    let mut seeds = std::iter::successors(Some(seed), |seed| Some(seed * 48_271 % MODULUS)).skip(21);
    let mut next = || seeds.next().unwrap_or_default();
    let array: Vec<u64> = (0..LENGTH).map(|_| (next() << (2 * shift)) ^ (next() << shift) ^ next()).collect();
    (0..LENGTH).map(|age| array[(OLDEST - age) % LENGTH]).collect()
}

/// Computes the table, in the order of [`seed_state`].
///
/// A number after n steps is a linear combination of the first 607. Its coefficients are those of the polynomial x^n modulo
/// x^607 - x^334 - 1, because x^607 = x^334 + 1 is the recurrence of the generator. Squaring x^n doubles n, so 43 squarings replace
/// 7.8e12 steps.
fn compute_table() -> Vec<u64> {
    let bits = u64::BITS - STEPS.leading_zeros();
    let coefficients = (0..bits).rev().fold(vec![1], |power, bit| {
        let square = multiply(&power, &power);
        if STEPS >> bit & 1 == 1 { multiply(&square, &[0, 1]) } else { square }
    });
    let mut numbers = seed_state(1, 10);
    for n in LENGTH..2 * LENGTH {
        numbers.push(numbers[n - LENGTH].wrapping_add(numbers[n - TAP]));
    }
    let combine = |numbers: &[u64]| {
        let products = coefficients.iter().zip(numbers).map(|(a, b)| a.wrapping_mul(*b));
        products.fold(0, u64::wrapping_add)
    };
    let mut table: Vec<u64> = (0..LENGTH).map(|start| combine(&numbers[start..])).collect();
    // Go stores the array in its layout after these steps, but uses it in the layout before the first step.
    table.rotate_right((STEPS % LENGTH as u64) as usize);
    table
}

/// Multiplies two polynomials modulo x^607 - x^334 - 1. Coefficients start with that of x^0.
fn multiply(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut product = vec![0_u64; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            product[i + j] = product[i + j].wrapping_add(a.wrapping_mul(*b));
        }
    }
    for degree in (LENGTH..product.len()).rev() {
        let coefficient = product[degree];
        for degree in [degree - LENGTH, degree - TAP] {
            product[degree] = product[degree].wrapping_add(coefficient);
        }
    }
    product.truncate(LENGTH);
    product
}

#[cfg(test)]
mod tests {
    use super::GoRand;

    /// The widely known first results of `rand.Intn(100)` in Go, whose seed was 1 before version 1.20.
    #[test]
    fn numbers_match_go() {
        let mut generator = GoRand::new(1);
        let numbers: Vec<i64> = (0..10).map(|_| generator.below(100)).collect();
        assert_eq!(numbers, [81, 87, 47, 59, 81, 18, 25, 40, 56, 0]);
    }
}
