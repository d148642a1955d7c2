//! Where addresses come from: one region of the address space for each kind of memory, cut into granules that are
//! handed out in ascending order, with redzones. Does not know what is stored there.
//!
//! A region is a ring. With 64-bit pointers it has 128 GiB, half a billion granules, and few programs ever get round;
//! with 32-bit pointers many do. Once round, granules are taken where nothing lives and nothing has lived since at
//! least half a lap. That is the quarantine of freed addresses.

use std::rc::Rc;

use crate::allocation::{Kind, MAX_GRANULES, Record};
use crate::page::{PAGE_BITS, PAGE_BYTES};
use crate::tree::Tree;
use crate::walk::Walker;

/// Every address below is invalid and reported as a null dereference.
pub const NULL_PAGE: u64 = 4096;

/// All bases are aligned to this at least, as those of a usual malloc.
const MIN_ALIGN: u64 = 16;
const MIN_REDZONE: u64 = 16;

/// The regions for one pointer width. Nothing lies below 0x1000_0000, where the executor places functions.
pub struct Layout {
    bases: [u64; 5],
    /// In granules.
    sizes: [u32; 5],
    max_redzone: u64,
    /// The greatest address that a pointer can hold.
    last_address: u64,
}

const fn granules(bytes: u64) -> u32 {
    (bytes >> PAGE_BITS) as u32
}

const MIB: u64 = 1 << 20;

/// As on x86-64 Linux: globals and heap where position-independent executables have them, thread-local variables among
/// the mapped libraries, then the stack, and above it arguments and environment.
static LAYOUT_64: Layout = Layout {
    bases: [0x5555_0000_0000, 0x7fc0_0000_0000, 0x5600_0000_0000, 0x7f00_0000_0000, 0x7fe0_0000_0000],
    // One past the last byte must still be an address of user space.
    sizes: [MAX_GRANULES, MAX_GRANULES, MAX_GRANULES, MAX_GRANULES, MAX_GRANULES - granules(MIB)],
    max_redzone: MIB,
    last_address: u64::MAX,
};

/// Three gibibytes, as 32-bit Linux leaves to a program.
static LAYOUT_32: Layout = Layout {
    bases: [0x1000_0000, 0xa400_0000, 0x5000_0000, 0xa000_0000, 0xbc00_0000],
    sizes: [granules(1024 * MIB), granules(384 * MIB), granules(1280 * MIB), granules(64 * MIB), granules(64 * MIB)],
    max_redzone: 4096,
    last_address: u32::MAX as u64,
};

impl Layout {
    pub fn for_pointers(bits: u16) -> &'static Layout {
        if bits <= 32 { &LAYOUT_32 } else { &LAYOUT_64 }
    }

    /// The kind of memory at `address`, and the granule there.
    #[inline]
    pub fn find(&self, address: u64) -> Option<(Kind, u32)> {
        Kind::ALL.into_iter().find_map(|kind| {
            let granule = address.wrapping_sub(self.bases[kind as usize]) >> PAGE_BITS;
            (granule < u64::from(self.sizes[kind as usize])).then_some((kind, granule as u32))
        })
    }

    /// The last granule of a kind that begins at or below `address`.
    pub fn last_granule_up_to(&self, kind: Kind, address: u64) -> Option<u32> {
        let offset = address.checked_sub(self.bases[kind as usize])?;
        Some((offset >> PAGE_BITS).min(u64::from(self.sizes[kind as usize] - 1)) as u32)
    }

    pub fn last_address(&self) -> u64 {
        self.last_address
    }

    pub fn address(&self, kind: Kind, granule: u32) -> u64 {
        self.bases[kind as usize] + (u64::from(granule) << PAGE_BITS)
    }

    /// How many bytes after an allocation are kept free at least.
    pub fn redzone(&self, size: u64) -> u64 {
        (size / 4).clamp(MIN_REDZONE, self.max_redzone)
    }
}

/// What to place where.
#[derive(Clone, Copy)]
pub struct Request {
    pub size: u64,
    pub align: u64,
    /// Distance of the base from the beginning of its granule, if that is prescribed.
    pub colour: Option<u64>,
}

/// A place found: the first granule, the number of granules, the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub granule: u32,
    pub granules: u32,
    pub base: u64,
}

/// How far an allocation with `slack` bytes to spare begins from the start of its first granule. Bases shall differ in
/// their low bits, as real ones do, or programs that hash pointers would see collisions.
fn colour(granule: u32, slack: u64, align: u64) -> u64 {
    if align >= PAGE_BYTES {
        return 0;
    }
    let choices = (slack >> align.trailing_zeros()) + 1;
    let scattered = u64::from(granule.wrapping_mul(0x9e37_79b9));
    ((scattered * choices) >> 32) * align
}

/// The granule before it stays free, so that what lies just below the first allocation is recognised as such.
const FIRST_GRANULE: u32 = 1;

/// The allocations of one kind.
#[derive(Clone)]
pub struct Region {
    pub live: Tree<Record>,
    /// The next granule to hand out.
    cursor: u32,
    /// From the middle of the first lap on.
    laps: Option<Rc<Laps>>,
}

impl Default for Region {
    fn default() -> Self {
        Region { live: Tree::default(), cursor: FIRST_GRANULE, laps: None }
    }
}

/// What must be known to hand out granules a second time.
#[derive(Clone, Default)]
struct Laps {
    in_upper_half: bool,
    /// What was alive when the cursor entered the half of the region where it is now: first granule and number of
    /// granules.
    alive_on_entry: Rc<[(u32, u32)]>,
    /// The same for the half before. Not to be handed out again before the cursor leaves its present half.
    resting: Rc<[(u32, u32)]>,
}

impl Region {
    /// Up to where it was used.
    pub fn cursor(&self) -> u32 {
        self.cursor
    }

    /// Leaves out what is before a granule. Whether that is possible.
    pub fn leave_out(&mut self, layout: &Layout, kind: Kind, upto: u32) -> bool {
        let is_possible = self.laps.is_none() && self.cursor <= upto && upto <= layout.sizes[kind as usize] / 2;
        if is_possible {
            self.cursor = upto;
        }
        is_possible
    }

    /// Finds a place; the caller then puts a record there.
    pub fn place(&mut self, layout: &Layout, kind: Kind, request: Request) -> Option<Place> {
        let align = request.align.checked_next_power_of_two()?.max(MIN_ALIGN);
        let size = request.size.checked_add(layout.redzone(request.size))?;
        let count = size.checked_add(request.colour.unwrap_or(0))?.div_ceil(PAGE_BYTES);
        let limit = layout.sizes[kind as usize];
        if count > u64::from(limit) || align > u64::from(limit) << PAGE_BITS {
            return None;
        }
        let count = count as u32;
        let granule = self.find_granules(layout, kind, count, align)?;
        let colour = request.colour.unwrap_or_else(|| colour(granule, (u64::from(count) << PAGE_BITS) - size, align));
        Some(Place { granule, granules: count, base: layout.address(kind, granule) + colour })
    }

    fn find_granules(&mut self, layout: &Layout, kind: Kind, count: u32, align: u64) -> Option<u32> {
        let limit = layout.sizes[kind as usize];
        let align_up = |granule: u32| {
            if align <= PAGE_BYTES {
                return granule;
            }
            let address = (layout.address(kind, granule) + align - 1) & !(align - 1);
            u32::try_from((address - layout.address(kind, 0)) >> PAGE_BITS).unwrap_or(u32::MAX)
        };
        let candidate = align_up(self.cursor);
        if self.laps.is_none() && candidate.saturating_add(count) <= limit / 2 {
            // The common case: nothing was ever here.
            self.cursor = candidate + count;
            return Some(candidate);
        }
        let fits = |granule: u32| granule.checked_add(count).is_some_and(|end| end <= limit);
        self.find_among_used(count, limit, align_up, fits)
    }

    #[cold]
    fn find_among_used(
        &mut self,
        count: u32,
        limit: u32,
        align_up: impl Fn(u32) -> u32,
        fits: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        self.laps.get_or_insert_default();
        let mut wraps = 0;
        let mut candidate = align_up(self.cursor);
        loop {
            if !fits(candidate) {
                wraps += 1;
                if wraps == 2 {
                    // Once round without success: take what has not rested long enough rather than give up.
                    self.laps = Some(Rc::default());
                } else if wraps == 4 {
                    return None;
                }
                candidate = align_up(FIRST_GRANULE);
                if !fits(candidate) {
                    return None;
                }
            }
            self.enter_half(candidate >= limit / 2);
            match self.obstacle(candidate, count) {
                Some(end) => candidate = align_up(end),
                None => {
                    self.cursor = candidate + count;
                    return Some(candidate);
                }
            }
        }
    }

    fn enter_half(&mut self, upper: bool) {
        let Some(laps) = &mut self.laps else { return };
        if laps.in_upper_half != upper {
            let alive = self.live.iter().map(|(granule, record)| (granule, record.granules)).collect();
            let laps = Rc::make_mut(laps);
            laps.in_upper_half = upper;
            laps.resting = std::mem::replace(&mut laps.alive_on_entry, alive);
        }
    }

    /// Hands the tables of this region to the walker, and every record in them to `each`.
    pub fn walk<W: Walker>(&self, walker: &mut W, each: &mut impl FnMut(&mut W, &Record)) {
        self.live.walk(walker, each);
        if let Some(laps) = self.laps.as_ref().filter(|laps| walker.enter(laps)) {
            walker.enter(&laps.alive_on_entry);
            walker.enter(&laps.resting);
        }
    }

    /// The end of something that lies within `count` granules from `start`, if there is anything.
    fn obstacle(&self, start: u32, count: u32) -> Option<u32> {
        let last = start + count - 1;
        let living = self.live.floor(last).map(|(granule, record)| granule + record.granules);
        let resting = self.laps.as_ref().and_then(|laps| {
            let before = laps.resting.partition_point(|(granule, _)| *granule <= last);
            laps.resting[..before].last().map(|(granule, count)| granule + count)
        });
        living.max(resting).filter(|end| *end > start)
    }
}
