//! The loops over all vectors, compiled for the vector instructions that processors have.

use multiversion::multiversion;

/// Number of components multiplied side by side. The compiler turns them into vector instructions.
const LANES: usize = 32;
/// Number of bits of a component of the query.
pub(super) const BITS: usize = 4;

/// Writes the dot product of each vector, 32-bit floats of little-endian bytes, with the query.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma", "aarch64+neon"))]
pub(super) fn dots(vectors: &[u8], query: &[f32], out: &mut [f32]) {
    let (query_groups, query_rest) = query.as_chunks::<LANES>();
    for (vector, out) in vectors.chunks_exact(query.len() * 4).zip(out) {
        let (groups, rest) = vector.as_chunks::<{ LANES * 4 }>();
        let mut sums = [0.0_f32; LANES];
        for (group, query) in groups.iter().zip(query_groups) {
            let (numbers, _) = group.as_chunks::<4>();
            for lane in 0..LANES {
                sums[lane] += f32::from_le_bytes(numbers[lane]) * query[lane];
            }
        }
        let (rest, _) = rest.as_chunks::<4>();
        let rest = rest.iter().zip(query_rest).map(|(&number, query)| f32::from_le_bytes(number) * query);
        *out = sums.iter().sum::<f32>() + rest.sum::<f32>();
    }
}

/// A query as whole numbers of [`BITS`] bits, one word of bits after the other for each of them.
pub(super) struct Planes {
    pub(super) words: usize,
    /// `BITS` times `words` words.
    pub(super) bits: Vec<u64>,
}

/// Counts for each code, `words` words of little-endian bytes: its ones, and the sum of the query's
/// numbers where it has ones.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq+popcnt",
    "x86_64+avx2+popcnt",
    "aarch64+neon"
))]
pub(super) fn sums(codes: &[u8], planes: &Planes, out: &mut [(u32, u32)]) {
    match planes.words {
        1 => sums_of::<1>(codes, &planes.bits, out),
        2 => sums_of::<2>(codes, &planes.bits, out),
        4 => sums_of::<4>(codes, &planes.bits, out),
        8 => sums_of::<8>(codes, &planes.bits, out),
        16 => sums_of::<16>(codes, &planes.bits, out),
        32 => sums_of::<32>(codes, &planes.bits, out),
        words => sums_of_any(codes, words, &planes.bits, out),
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it must be compiled with the caller's instructions")]
fn sums_of<const WORDS: usize>(codes: &[u8], planes: &[u64], out: &mut [(u32, u32)]) {
    let (planes, _) = planes.as_chunks::<WORDS>();
    let (words, _) = codes.as_chunks::<8>();
    let (codes, _) = words.as_chunks::<WORDS>();
    for (code, out) in codes.iter().zip(out) {
        let code: [u64; WORDS] = std::array::from_fn(|word| u64::from_le_bytes(code[word]));
        let ones = code.iter().map(|word| word.count_ones()).sum();
        let mut sum = 0;
        for (bit, plane) in planes.iter().enumerate() {
            let mut common = 0;
            for word in 0..WORDS {
                common += (code[word] & plane[word]).count_ones();
            }
            sum += common << bit;
        }
        *out = (ones, sum);
    }
}

fn sums_of_any(codes: &[u8], words: usize, planes: &[u64], out: &mut [(u32, u32)]) {
    for (code, out) in codes.chunks_exact(words * 8).zip(out) {
        let (code, _) = code.as_chunks::<8>();
        let ones = code.iter().map(|&word| u64::from_le_bytes(word).count_ones()).sum();
        let common = |plane: &[u64]| -> u32 {
            code.iter().zip(plane).map(|(&word, plane)| (u64::from_le_bytes(word) & plane).count_ones()).sum()
        };
        let sums = planes.chunks_exact(words).enumerate().map(|(bit, plane)| common(plane) << bit);
        *out = (ones, sums.sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_exact_for_any_length() {
        for dimensions in [1, 11, 32, 100] {
            let vectors: Vec<f32> =
                (0..dimensions * 7).map(|number| (number * 7 % 13) as f32 - 6.0).collect();
            let query: Vec<f32> = (0..dimensions).map(|place| (place % 5) as f32 - 2.0).collect();
            let bytes: Vec<u8> = vectors.iter().flat_map(|number| number.to_le_bytes()).collect();
            let mut out = [0.0; 7];
            dots(&bytes, &query, &mut out);
            for (vector, found) in vectors.chunks_exact(dimensions).zip(out) {
                let expected: f32 = vector.iter().zip(&query).map(|(left, right)| left * right).sum();
                assert!((found - expected).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn sums_count_the_query_where_a_code_has_ones() {
        for words in [1, 2, 3, 4, 8, 64] {
            let code: Vec<u64> =
                (0..words as u64).map(|word| 0x9E37_79B9_7F4A_7C15_u64.rotate_left(word as u32)).collect();
            let numbers: Vec<u64> = (0..words as u64 * 64).map(|place| place * 5 % 16).collect();
            let mut bits = vec![0; BITS * words];
            for (place, number) in numbers.iter().enumerate() {
                for bit in 0..BITS {
                    bits[bit * words + place / 64] |= (number >> bit & 1) << (place % 64);
                }
            }
            let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
            let mut out = [(0, 0)];
            sums(&bytes, &Planes { words, bits }, &mut out);
            let is_one = |place: usize| code[place / 64] >> (place % 64) & 1 == 1;
            let expected: u64 = numbers
                .iter()
                .enumerate()
                .filter(|(place, _)| is_one(*place))
                .map(|(_, number)| number)
                .sum();
            let ones: u32 = code.iter().map(|word| word.count_ones()).sum();
            assert_eq!(out[0], (ones, expected as u32), "{words} words");
        }
    }
}
