//! Memory as the device sees it: objects in one 64-bit address space.
//!
//! An access beyond the end of an array usually lands in the next array, so an address alone cannot show the error. A
//! pointer therefore carries the number of its object in its upper 16 bits. The lower 48 bits are the address that
//! traces show. Global objects follow one another, aligned to 512 bytes as `cudaMalloc` aligns them.

use crate::code::MemorySpace;
use std::rc::Rc;

/// Global arrays start at this address.
pub const GLOBAL_BASE: u64 = 0x7f00_0000_0000;
/// Constant arrays start at this address.
const CONSTANT_BASE: u64 = 0x7e00_0000_0000;
/// Local memory starts at this address in traces.
pub const LOCAL_BASE: u64 = 0x7d00_0000_0000;
/// Alignment of each allocation, as `cudaMalloc` has it.
const ALLOCATION: u64 = 512;
/// Bits of a pointer that hold the address. The object's number lies above them.
const ADDRESS_BITS: u32 = 48;
/// Masks the address out of a pointer.
pub const ADDRESS: u64 = (1 << ADDRESS_BITS) - 1;

/// An array or variable. A pointer into it may reach its bytes and nothing else.
#[derive(Clone, Debug)]
pub struct MemoryObject {
    /// Its name in the text, for messages.
    pub name: Rc<str>,
    /// The space that its accesses count for.
    pub space: MemorySpace,
    /// Address of the first byte. For shared and local objects, the offset in the block's or thread's memory.
    pub base: u64,
    /// Its size.
    pub bytes: u64,
    /// Bytes of an element, to report an index instead of an offset.
    pub element: u64,
    /// Index of the object's bytes in [`Memory::data`].
    pub slot: usize,
    /// Whether its accesses are left out of the trace.
    pub hidden: bool,
}

/// All objects of the device. Global and constant objects have their bytes in `data`.
#[derive(Default)]
pub struct Memory {
    /// The objects by number.
    pub objects: Vec<MemoryObject>,
    /// The bytes of global and constant objects.
    pub data: Vec<Vec<u8>>,
    next_global: u64,
    next_constant: u64,
}

impl Memory {
    /// Adds an object with data and returns its number.
    pub fn allocate(&mut self, name: &str, space: MemorySpace, data: Vec<u8>, element: u64) -> usize {
        let next = if space == MemorySpace::Constant { &mut self.next_constant } else { &mut self.next_global };
        let offset = *next;
        let bytes = data.len() as u64;
        *next += bytes.max(1).next_multiple_of(ALLOCATION);
        let base = offset + if space == MemorySpace::Constant { CONSTANT_BASE } else { GLOBAL_BASE };
        let slot = self.data.len();
        self.data.push(data);
        self.add_object(MemoryObject {
            name: Rc::from(name),
            space,
            base,
            bytes,
            element: element.max(1),
            slot,
            hidden: false,
        })
    }

    /// Where the next objects go: an empty memory made with [`Self::following`] goes on there.
    pub fn marks(&self) -> (u64, u64) {
        (self.next_global, self.next_constant)
    }

    /// An empty memory whose objects follow those of another one.
    pub fn following((next_global, next_constant): (u64, u64)) -> Self {
        Self { next_global, next_constant, ..Self::default() }
    }

    /// Moves the object that was allocated last to an address that it had before.
    pub fn move_last(&mut self, object: usize, base: u64) {
        let held = &mut self.objects[object];
        held.base = base;
        let next = if held.space == MemorySpace::Constant { &mut self.next_constant } else { &mut self.next_global };
        *next -= held.bytes.max(1).next_multiple_of(ALLOCATION);
    }

    /// Adds an object of shared or local memory, whose bytes the emulator keeps per block or per thread. Returns its
    /// number.
    pub fn add_object(&mut self, object: MemoryObject) -> usize {
        self.objects.push(object);
        self.objects.len() - 1
    }

    /// A pointer to the first byte of an object.
    pub fn pointer_to_object(&self, object: usize) -> u64 {
        tag(object) | self.objects[object].base
    }

    /// Removes the shared and local objects of a launch, which have the numbers from `from` on.
    pub fn remove_objects_from(&mut self, from: usize) {
        self.objects.truncate(from);
    }
}

/// The upper bits of pointers to this object.
fn tag(object: usize) -> u64 {
    ((object as u64 + 1) & 0xffff) << ADDRESS_BITS
}

/// The object that a pointer belongs to. `None` for a pointer that no object gave, such as null.
#[inline(always)]
pub fn object_of(pointer: u64) -> Option<usize> {
    ((pointer >> ADDRESS_BITS) as usize).checked_sub(1)
}

/// Reads `N` bytes at an offset, or zeros where they are out of range.
#[inline(always)]
pub fn read_bytes<const N: usize>(data: &[u8], at: usize) -> [u8; N] {
    data.get(at..at + N).and_then(|s| s.try_into().ok()).unwrap_or([0; N])
}
