//! The decimal digits of a number, for the verbs of `format`.

use ferroform_value::Number;

/// A decimal number `0.DIGITS * 10^point`, without leading and trailing zeros in its digits.
pub(crate) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// Returns all digits of a number; `None` for infinities and for numbers with thousands of digits.
    pub(crate) fn exact(number: &Number) -> Option<Decimal> {
        number.to_exact_string().map(|it| Decimal::parse(&it))
    }

    /// Returns the digits of the printed number; `None` for the same numbers as [`Decimal::exact`].
    pub(crate) fn shortest(number: &Number) -> Option<Decimal> {
        number.to_exact_string()?;
        Some(Decimal::parse(&number.to_string()))
    }

    /// Creates a decimal from a printed number, which has no exponent.
    fn parse(string: &str) -> Decimal {
        let (negative, digits) = string.strip_prefix('-').map_or((false, string), |rest| (true, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        Decimal::new(negative, format!("{whole}{fraction}").into_bytes(), fraction.len() as i64)
    }

    /// Creates a decimal from its digits. The last `places` digits follow the decimal point.
    fn new(negative: bool, mut digits: Vec<u8>, places: i64) -> Decimal {
        let zeros = digits.iter().take_while(|it| **it == b'0').count();
        digits.drain(..zeros);
        let point = if digits.is_empty() { 0 } else { digits.len() as i64 - places };
        let mut it = Decimal { negative, digits, point };
        it.trim();
        it
    }

    fn trim(&mut self) {
        while self.digits.pop_if(|it| *it == b'0').is_some() {}
    }

    /// Rounds to the first `count` digits, half to even.
    fn round(&mut self, count: i64) {
        let Some(count) = usize::try_from(count).ok().filter(|it| *it < self.digits.len()) else { return };
        let tie = self.digits[count..] == *b"5";
        let up = if tie { count > 0 && self.digits[count - 1] % 2 == 1 } else { self.digits[count] >= b'5' };
        self.digits.truncate(count);
        if up {
            while self.digits.pop_if(|it| *it == b'9').is_some() {}
            match self.digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    self.digits.push(b'1');
                    self.point += 1;
                }
            }
        }
        self.trim();
    }

    fn digit(&self, at: i64) -> char {
        let it = usize::try_from(at).ok().and_then(|at| self.digits.get(at));
        it.map_or('0', |it| char::from(*it))
    }

    fn sign(&self) -> &'static str {
        if self.negative { "-" } else { "" }
    }

    /// Prints the decimal as `123.45`, with a number of digits after the point.
    pub(crate) fn fixed(mut self, places: usize) -> String {
        self.round(self.point.saturating_add(places as i64));
        let mut out = self.sign().to_owned();
        out.extend((0..self.point.max(1)).map(|at| if self.point > 0 { self.digit(at) } else { '0' }));
        if places > 0 {
            out.push('.');
            out.extend((0..places as i64).map(|at| self.digit(self.point + at)));
        }
        out
    }

    /// Prints the decimal as `1.2345e+02`, with a number of digits after the point.
    pub(crate) fn scientific(mut self, places: usize, e: char) -> String {
        self.round(places as i64 + 1);
        let mut out = self.sign().to_owned();
        out.push(self.digit(0));
        if places > 0 {
            out.push('.');
            out.extend((1..=places as i64).map(|at| self.digit(at)));
        }
        let exponent = if self.digits.is_empty() { 0 } else { self.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        out + &format!("{e}{sign}{:02}", exponent.unsigned_abs())
    }

    /// Prints the decimal in one of the other two forms, depending on its magnitude, with at most `count` digits or
    /// with all digits.
    pub(crate) fn general(mut self, count: Option<usize>, e: char) -> String {
        let count = count.map(|it| it.max(1));
        if let Some(count) = count {
            self.round(count as i64);
        }
        let available = self.digits.len();
        let limit = match count {
            None => 6,
            Some(it) if it > available && available as i64 >= self.point => available,
            Some(it) => it,
        };
        let exponent = if self.digits.is_empty() { -1 } else { self.point - 1 };
        if exponent < -4 || exponent >= limit as i64 {
            let digits = count.map_or(available, |it| it.min(available));
            return self.scientific(digits.saturating_sub(1), e);
        }
        let places = (available as i64 - self.point).max(0);
        self.fixed(places as usize)
    }
}
