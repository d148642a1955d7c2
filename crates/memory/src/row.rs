//! A short sorted row of keys with an item each: what the nodes of `tree` are made of.

/// Stands in the unused places of a row of keys; greater than any real key.
const UNUSED: u32 = u32::MAX;

/// Up to `N` items in the order of their keys.
#[derive(Clone)]
pub struct Row<T, const N: usize> {
    pub keys: [u32; N],
    pub length: usize,
    pub items: [Option<T>; N],
}

impl<T, const N: usize> Row<T, N> {
    pub fn new() -> Self {
        Row { keys: [UNUSED; N], length: 0, items: [const { None }; N] }
    }

    /// How many keys are no greater than `key`. Looks at all of them, which takes a few vector instructions.
    #[inline]
    pub fn count_up_to(&self, key: u32) -> usize {
        self.keys.iter().map(|k| u32::from(*k <= key)).sum::<u32>() as usize
    }

    #[inline]
    pub fn position(&self, key: u32) -> Option<usize> {
        let at = self.count_up_to(key).checked_sub(1)?;
        (self.keys[at] == key).then_some(at)
    }

    /// The item with the greatest key that is no greater than `key`.
    #[inline]
    pub fn floor(&self, key: u32) -> Option<(u32, &T)> {
        let at = self.count_up_to(key).checked_sub(1)?;
        Some((self.keys[at], self.items[at].as_ref()?))
    }

    pub fn last(&self) -> Option<(u32, &T)> {
        let at = self.length.checked_sub(1)?;
        Some((self.keys[at], self.items[at].as_ref()?))
    }

    /// In a branch: the child in whose range `key` falls, which is the first one for all lesser keys.
    #[inline]
    pub fn child(&self, key: u32) -> usize {
        self.count_up_to(key).saturating_sub(1)
    }

    /// There must be room.
    pub fn insert(&mut self, at: usize, key: u32, item: T) {
        self.keys.copy_within(at..self.length, at + 1);
        self.keys[at] = key;
        self.items[at..=self.length].rotate_right(1);
        self.items[at] = Some(item);
        self.length += 1;
    }

    pub fn remove(&mut self, at: usize) -> Option<T> {
        let item = self.items[at].take();
        self.keys.copy_within(at + 1..self.length, at);
        self.items[at..self.length].rotate_left(1);
        self.length -= 1;
        self.keys[self.length] = UNUSED;
        item
    }

    pub fn split_off(&mut self, at: usize) -> Self {
        let mut right = Row::new();
        while self.length > at {
            let last = self.length - 1;
            let key = self.keys[last];
            if let Some(item) = self.remove(last) {
                right.insert(0, key, item);
            }
        }
        right
    }

    /// Inserts, and if there is no room, splits first and returns the right part. A row that grows at its end stays
    /// full.
    pub fn insert_or_split(&mut self, at: usize, key: u32, item: T) -> Option<Self> {
        if self.length < N {
            self.insert(at, key, item);
            return None;
        }
        let middle = if at == N { N } else { N / 2 };
        let mut right = self.split_off(middle);
        if at < middle {
            self.insert(at, key, item);
        } else {
            right.insert(at - middle, key, item);
        }
        Some(right)
    }

    /// Takes over everything in `right`, whose keys are all greater.
    pub fn append(&mut self, mut right: Self) {
        for at in 0..right.length {
            if let Some(item) = right.items[at].take() {
                self.insert(self.length, right.keys[at], item);
            }
        }
    }
}

/// What is still to be visited of a row.
pub struct Entries<'a, T> {
    pub keys: &'a [u32],
    pub items: &'a [Option<T>],
}

impl<T> Default for Entries<'_, T> {
    fn default() -> Self {
        Entries { keys: &[], items: &[] }
    }
}

impl<'a, T> Entries<'a, T> {
    pub fn from<const N: usize>(row: &'a Row<T, N>, from: u32) -> Self {
        let at = row.keys[..row.length].partition_point(|key| *key < from);
        Entries { keys: &row.keys[at..row.length], items: &row.items[at..row.length] }
    }
}

impl<'a, T> Iterator for Entries<'a, T> {
    type Item = (u32, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        let (key, keys) = self.keys.split_first()?;
        let (item, items) = self.items.split_first()?;
        (self.keys, self.items) = (keys, items);
        Some((*key, item.as_ref()?))
    }
}
