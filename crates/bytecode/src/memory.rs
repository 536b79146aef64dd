//! Memory as the device sees it: objects in one address space of 64 bits.
//!
//! A pointer carries the number of its object in its upper 16 bits, so an access beyond an array is found even where
//! another array follows at once; the lower 48 bits are the address that traces show. Global objects lie next to each other,
//! aligned to 512 bytes as `cudaMalloc` aligns them.

use crate::code::Known;
use std::rc::Rc;

/// First address of global memory.
pub const GLOBAL_BASE: u64 = 0x7f00_0000_0000;
/// First address of constant memory.
const CONSTANT_BASE: u64 = 0x7e00_0000_0000;
/// First address of local memory in traces.
pub const LOCAL_BASE: u64 = 0x7d00_0000_0000;
/// Alignment of allocations.
const ALLOCATION: u64 = 512;
/// Bits of an address below the object's number.
const ADDRESS_BITS: u32 = 48;
/// The part of a pointer that is an address.
pub const ADDRESS: u64 = (1 << ADDRESS_BITS) - 1;

/// A range of memory that belongs together.
#[derive(Clone, Debug)]
pub struct Object {
    pub name: Rc<str>,
    pub space: Known,
    /// Address of its first byte; in shared and local memory the offset in the block's or thread's.
    pub base: u64,
    pub bytes: u64,
    /// Bytes of an element, to tell an index.
    pub element: u64,
    /// Place of its data among the global ones.
    pub slot: usize,
    /// Its accesses are not recorded.
    pub hidden: bool,
}

/// All objects; global and constant ones with their data.
#[derive(Default)]
pub struct Memory {
    pub objects: Vec<Object>,
    pub data: Vec<Vec<u8>>,
    next_global: u64,
    next_constant: u64,
}

impl Memory {
    /// Adds an object with data and gives its number.
    pub fn allocate(&mut self, name: &str, space: Known, data: Vec<u8>, element: u64) -> usize {
        let next = if space == Known::Constant { &mut self.next_constant } else { &mut self.next_global };
        let offset = *next;
        let bytes = data.len() as u64;
        *next += bytes.max(1).next_multiple_of(ALLOCATION);
        let base = offset + if space == Known::Constant { CONSTANT_BASE } else { GLOBAL_BASE };
        let slot = self.data.len();
        self.data.push(data);
        self.add(Object { name: Rc::from(name), space, base, bytes, element: element.max(1), slot, hidden: false })
    }

    /// Adds an object of shared or local memory.
    pub fn add(&mut self, object: Object) -> usize {
        self.objects.push(object);
        self.objects.len() - 1
    }

    /// A pointer to the start of an object.
    pub fn pointer(&self, object: usize) -> u64 {
        tag(object) | self.objects[object].base
    }

    /// Takes shared and local objects of a launch out again.
    pub fn forget(&mut self, from: usize) {
        self.objects.truncate(from);
    }
}

/// Upper bits of pointers to this object.
fn tag(object: usize) -> u64 {
    ((object as u64 + 1) & 0xffff) << ADDRESS_BITS
}

/// The object that a pointer belongs to.
#[inline(always)]
pub fn object_of(pointer: u64) -> Option<usize> {
    ((pointer >> ADDRESS_BITS) as usize).checked_sub(1)
}

/// Reads a little-endian number.
#[inline(always)]
pub fn get<const N: usize>(data: &[u8], at: usize) -> [u8; N] {
    data.get(at..at + N).and_then(|s| s.try_into().ok()).unwrap_or([0; N])
}
