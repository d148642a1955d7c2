//! The pages of one allocation: sparse, shared between copies, copied when written. What a page holds is in `page`.

use std::rc::Rc;

use crate::page::{Owner, PAGE_BITS, PAGE_BYTES, Page};
use crate::walk::Walker;

/// References in the tables of the page tree. A reference to a page is twice as large as one to a table, so both kinds
/// of table have 256 bytes.
const LEAF_BITS: u32 = 4;
const BRANCH_BITS: u32 = 5;

/// Where the bytes of an allocation are: its pages are cut at the granules of the address space, so that the first and
/// the last one may be short.
#[derive(Clone, Copy)]
pub struct Extent {
    pub base: u64,
    pub size: u64,
}

/// The part of an allocation that lies in one page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub index: u32,
    /// Address of its first byte.
    pub start: u64,
    pub length: usize,
}

impl Extent {
    /// `address` must lie in the allocation.
    pub fn span_at(self, address: u64) -> Span {
        let granule = address >> PAGE_BITS;
        let start = self.base.max(granule << PAGE_BITS);
        let end = (self.base + self.size).min((granule + 1) << PAGE_BITS);
        Span { index: (granule - (self.base >> PAGE_BITS)) as u32, start, length: (end - start) as usize }
    }

    pub fn pages(self) -> u32 {
        let first = self.base >> PAGE_BITS;
        let end = (self.base + self.size).div_ceil(PAGE_BYTES);
        (end - first) as u32
    }
}

/// A radix tree over the numbers of the pages; what is missing was never written.
#[derive(Clone)]
enum Table {
    Branch([Option<Rc<Table>>; 1 << BRANCH_BITS]),
    Leaf([Option<Rc<Page>>; 1 << LEAF_BITS]),
}

impl Table {
    fn new(levels: u8) -> Table {
        if levels > 1 { Table::Branch(Default::default()) } else { Table::Leaf(Default::default()) }
    }

    /// Drops the pages from number `count` on, counted from the first one in this table.
    fn truncate(&mut self, level: u8, count: u32) {
        match self {
            Table::Leaf(pages) => pages.iter_mut().skip(count as usize).for_each(|page| *page = None),
            Table::Branch(children) => {
                let below = 1 << bits_below(level);
                for (at, child) in children.iter_mut().enumerate() {
                    let first = at as u32 * below;
                    if first >= count {
                        *child = None;
                    } else if let Some(child) = child
                        && first + below > count
                    {
                        Rc::make_mut(child).truncate(level - 1, count - first);
                    }
                }
            }
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Table::Branch(children) => children.iter().all(Option::is_none),
            Table::Leaf(pages) => pages.iter().all(Option::is_none),
        }
    }
}

fn walk_table<W: Walker>(table: &Rc<Table>, walker: &mut W, each: &mut impl FnMut(&mut W, &Page)) {
    if !walker.enter(table) {
        return;
    }
    match &**table {
        Table::Leaf(pages) => walk_pages(pages.iter().flatten(), walker, each),
        Table::Branch(children) => children.iter().flatten().for_each(|child| walk_table(child, walker, each)),
    }
}

fn walk_pages<'a, W: Walker>(
    pages: impl IntoIterator<Item = &'a Rc<Page>>,
    walker: &mut W,
    each: &mut impl FnMut(&mut W, &Page),
) {
    for page in pages {
        if walker.enter(page) {
            each(walker, page);
        }
    }
}

#[derive(Clone)]
enum Pages {
    /// There is at most one page.
    Single(Option<Rc<Page>>),
    Many {
        levels: u8,
        root: Rc<Table>,
    },
}

#[derive(Clone)]
pub struct Contents {
    pages: Pages,
    /// Pages with lower numbers than this are zero if they are missing, the others undefined.
    zero_pages: u32,
    /// Some page may have symbolic bytes, or had some once.
    symbolic: bool,
}

/// What a page holds.
pub enum Found<'a> {
    Page(&'a Rc<Page>),
    Zero,
    Undefined,
}

/// How many bits of a page number are decided below a branch at this level; leaves are at level 1.
fn bits_below(level: u8) -> u32 {
    LEAF_BITS + u32::from(level - 2) * BRANCH_BITS
}

fn in_leaf(index: u32) -> usize {
    index as usize % (1 << LEAF_BITS)
}

fn in_branch(index: u32, level: u8) -> usize {
    (index >> bits_below(level)) as usize % (1 << BRANCH_BITS)
}

fn levels_for(pages: u32) -> u8 {
    let bits = 32 - pages.saturating_sub(1).leading_zeros();
    1 + bits.saturating_sub(LEAF_BITS).div_ceil(BRANCH_BITS) as u8
}

impl Pages {
    fn new(count: u32) -> Pages {
        if count <= 1 {
            return Pages::Single(None);
        }
        let levels = levels_for(count);
        Pages::Many { levels, root: Rc::new(Table::new(levels)) }
    }

    /// Makes room for page numbers below `count`.
    fn grow(&mut self, count: u32) {
        if count <= 1 {
            return;
        }
        if let Pages::Single(page) = self {
            let page = page.take();
            *self = Pages::new(count);
            if page.is_some() {
                *self.slot_mut(0) = page;
            }
        }
        if let Pages::Many { levels, root } = self {
            while *levels < levels_for(count) {
                let mut children = [const { None }; 1 << BRANCH_BITS];
                children[0] = Some(root.clone());
                *root = Rc::new(Table::Branch(children));
                *levels += 1;
            }
        }
    }

    /// Drops the pages from number `count` on.
    fn truncate(&mut self, count: u32) {
        match self {
            Pages::Single(page) if count == 0 => *page = None,
            Pages::Single(_) => {}
            Pages::Many { levels, root } => Rc::make_mut(root).truncate(*levels, count),
        }
    }

    fn slot_mut(&mut self, index: u32) -> &mut Option<Rc<Page>> {
        match self {
            Pages::Single(page) => page,
            Pages::Many { levels, root } => {
                let mut table = Rc::make_mut(root);
                let mut level = *levels;
                loop {
                    match table {
                        Table::Leaf(pages) => return &mut pages[in_leaf(index)],
                        Table::Branch(children) => {
                            let child = &mut children[in_branch(index, level)];
                            level -= 1;
                            table = Rc::make_mut(child.get_or_insert_with(|| Rc::new(Table::new(level))));
                        }
                    }
                }
            }
        }
    }

    fn get(&self, index: u32) -> Option<&Rc<Page>> {
        match self {
            Pages::Single(page) => page.as_ref(),
            Pages::Many { levels, root } => {
                let mut table = &**root;
                let mut level = *levels;
                loop {
                    match table {
                        Table::Leaf(pages) => return pages[in_leaf(index)].as_ref(),
                        Table::Branch(children) => table = children[in_branch(index, level)].as_deref()?,
                    }
                    level -= 1;
                }
            }
        }
    }
}

impl Contents {
    pub fn undefined(extent: Extent) -> Contents {
        Contents { pages: Pages::new(extent.pages()), zero_pages: 0, symbolic: false }
    }

    pub fn zeroed(extent: Extent) -> Contents {
        Contents { pages: Pages::new(extent.pages()), zero_pages: extent.pages(), symbolic: false }
    }

    pub fn is_symbolic(&self) -> bool {
        self.symbolic
    }

    /// From now on, pages may be given symbolic bytes.
    pub fn note_symbolic(&mut self) {
        self.symbolic = true;
    }

    /// Hands every page to `each`, except those in what the walker does not enter.
    pub fn walk<W: Walker>(&self, walker: &mut W, each: &mut impl FnMut(&mut W, &Page)) {
        match &self.pages {
            Pages::Single(page) => walk_pages(page.as_slice(), walker, each),
            Pages::Many { root, .. } => walk_table(root, walker, each),
        }
    }

    /// Nothing was ever written.
    pub fn is_untouched(&self) -> bool {
        match &self.pages {
            Pages::Single(page) => page.is_none(),
            Pages::Many { root, .. } => root.is_empty(),
        }
    }

    /// Fits the contents of an allocation to another extent, which begins at the same place within a granule. What is
    /// added is undefined.
    pub fn resize(&mut self, old: Extent, new: Extent, owner: Owner) {
        debug_assert_eq!(old.base % PAGE_BYTES, new.base % PAGE_BYTES);
        if old.size == 0 || new.size == 0 {
            *self = Contents::undefined(new);
            return;
        }
        if new.size <= old.size {
            self.pages.truncate(new.pages());
            self.zero_pages = self.zero_pages.min(new.pages());
            return;
        }
        self.pages.grow(new.pages());
        // The page where the old contents end holds more now.
        let last = old.span_at(old.base + old.size - 1);
        let length = new.span_at(new.base + old.size - 1).length;
        if length > last.length {
            let longer = match self.page(last.index) {
                Found::Page(page) => page.copied(owner, length),
                Found::Zero => Page::zeroed(owner, length),
                Found::Undefined => return,
            };
            longer.mark_undefined(last.length, length - last.length);
            *self.pages.slot_mut(last.index) = Some(longer);
        }
    }

    pub fn page(&self, index: u32) -> Found<'_> {
        match self.pages.get(index) {
            Some(page) => Found::Page(page),
            None if index < self.zero_pages => Found::Zero,
            None => Found::Undefined,
        }
    }

    /// The page, made or copied if need be, so that `owner` may write to it. `overwritten` says that all of it is
    /// about to be written, so that what it holds is of no interest.
    pub fn page_for_writing(&mut self, span: Span, owner: Owner, overwritten: bool) -> &Rc<Page> {
        let zero = overwritten || span.index < self.zero_pages;
        let slot = self.pages.slot_mut(span.index);
        let page = slot.get_or_insert_with(|| match zero {
            true => Page::zeroed(owner, span.length),
            false => Page::undefined(owner, span.length),
        });
        if page.owner() != owner {
            // Everything on the way here is ours alone by now. So one reference to the page means that it is ours
            // alone, too.
            if Rc::strong_count(page) == 1 {
                page.adopt(owner);
            } else if overwritten {
                *page = Page::zeroed(owner, span.length);
            } else {
                *page = page.copied(owner, span.length);
            }
        }
        page
    }
}
