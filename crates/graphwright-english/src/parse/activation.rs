//! Sigmoid and hyperbolic tangent of many numbers, written so that the compiler makes vector instructions of the loops.

/// 1.5 × 2²³: a number this large has no binary places left, so adding it rounds to a whole number.
const ROUNDING: f32 = 12_582_912.0;
/// ln 2 in two parts. The first has few binary digits: products with whole numbers are exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;
/// Beyond this, sigmoid and tangent are 0 or 1 within 32-bit numbers.
const FAR: f32 = 40.0;

/// Returns e to the power of a number between −80 and 80, within 2 units of the last place: the power of two that is near,
/// times the Taylor series of the rest.
fn exp(x: f32) -> f32 {
    let shifted = x * std::f32::consts::LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let rest = x - whole * LN_2_HIGH - whole * LN_2_LOW;
    let series = 1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0));
    let series = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * series)));
    // The last digits of `shifted` hold the whole number; added to the exponent, they multiply by two to its power.
    f32::from_bits(series.to_bits().wrapping_add(shifted.to_bits() << 23))
}

/// Replaces each number by 1 / (1 + e⁻ˣ).
pub(super) fn sigmoid(numbers: &mut [f32]) {
    for x in numbers {
        *x = 1.0 / (1.0 + exp(-x.clamp(-FAR, FAR)));
    }
}

/// Replaces each number by its hyperbolic tangent.
pub(super) fn tanh(numbers: &mut [f32]) {
    for x in numbers {
        *x = 1.0 - 2.0 / (1.0 + exp(2.0 * x.clamp(-FAR, FAR)));
    }
}

/// Replaces each negative number by a tenth of it.
pub(super) fn leaky(numbers: &mut [f32]) {
    for x in numbers {
        *x = x.max(0.1 * *x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_follow_the_exact_functions() {
        for step in -1000..=1000 {
            let x = step as f32 / 10.0;
            let exact = f64::from(x);
            let (mut one, mut other) = ([x], [x]);
            sigmoid(&mut one);
            tanh(&mut other);
            assert!((f64::from(one[0]) - 1.0 / (1.0 + (-exact).exp())).abs() < 1e-6, "{x}");
            assert!((f64::from(other[0]) - exact.tanh()).abs() < 1e-6, "{x}");
        }
    }
}
