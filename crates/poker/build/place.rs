//! Perfect hashing by displacement: shifts the keys of each bucket until no two
//! keys collide, the largest buckets first.

/// The layout of a table.
pub(crate) struct Layout {
    pub(crate) bucket_bits: u32,
    pub(crate) slot_bits: u32,
    /// Keys are placed below this slot, so that the used part is dense in the cache.
    pub(crate) dense: usize,
}

impl Layout {
    /// The number of entries of the table. A slot and a displacement have
    /// `slot_bits` each, so no sum leaves the table: a lookup needs no bounds check
    /// and is sound for any key. Entries above `dense` are never used.
    fn slots(&self) -> usize {
        2 << self.slot_bits
    }

    /// Takes the bucket from the high bits of a sum and the slot from the low
    /// ones, above bit 0.
    pub(crate) fn split(&self, sum: u32, value: u16) -> Key {
        let slot = (sum >> 1) & ((1 << self.slot_bits) - 1);
        Key { bucket: (sum >> (32 - self.bucket_bits)) as u16, slot: slot as u16, value }
    }
}

/// A hashed key and its value.
pub(crate) struct Key {
    pub(crate) bucket: u16,
    pub(crate) slot: u16,
    pub(crate) value: u16,
}

/// The finished table: a key's value is `values[slot + displacements[bucket]]`.
pub(crate) struct Placed {
    pub(crate) displacements: Vec<u16>,
    pub(crate) values: Vec<u16>,
}

/// Places all keys, the fullest buckets first; `None` if that fails.
pub(crate) fn place(layout: &Layout, keys: impl IntoIterator<Item = Key>) -> Option<Placed> {
    let count = 1 << layout.bucket_bits;
    let mut buckets: Vec<Vec<(u16, u16)>> = vec![Vec::new(); count];
    for key in keys {
        buckets[usize::from(key.bucket)].push((key.slot, key.value));
    }
    for bucket in &mut buckets {
        bucket.sort_unstable();
        if bucket.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&bucket| std::cmp::Reverse(buckets[bucket].len()));

    let mut values = vec![0u16; layout.slots()];
    let mut displacements = vec![0u16; count];
    let mut scramble = Scramble::new(1);
    let range = layout.dense - (1 << layout.slot_bits);
    for index in order {
        let bucket = &buckets[index];
        let start = scramble.bits() as usize % range;
        let shift = (start..range)
            .chain(0..start)
            .find(|shift| bucket.iter().all(|&(slot, _)| values[usize::from(slot) + shift] == 0))?;
        for &(slot, value) in bucket {
            values[usize::from(slot) + shift] = value;
        }
        displacements[index] = shift as u16;
    }
    Some(Placed { displacements, values })
}

/// The splitmix64 generator (Steele, Lea, Flood 2014).
pub(crate) struct Scramble(u64);

impl Scramble {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}
