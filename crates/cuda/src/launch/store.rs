//! The device's memory, and the arrays that one launch of the host leaves to the next.

use crate::launch::InitialContents;
use crate::lower::types::Ty;
use crate::syntax::token::Name;
use bytecode::memory::Memory;
use bytecode::texture::Texture;
use std::sync::Arc;

/// An array that a launch comment allocated.
pub struct LaunchArray {
    /// The name of the item.
    pub name: Name,
    /// Its number in [`DeviceStore::memory`].
    pub object: usize,
    /// The type of an element.
    pub ty: Ty,
    /// Number of elements.
    pub count: u64,
    /// The contents before the first launch that names it.
    pub before: InitialContents,
    /// Whether the host copied data into it: the item has a value, or the file initialises the variable. Constants always
    /// hold data of the host.
    pub copied_in: bool,
    /// Its number among the textures, plus one, if a texture was bound to it.
    pub(crate) texture: Option<u64>,
}

/// The device's memory with the arrays and textures that the launches put there. Later launches inherit it.
#[derive(Default)]
pub struct DeviceStore {
    /// Arrays, and variables of the file.
    pub memory: Memory,
    /// A texture handle is an index in this list, plus one.
    pub textures: Vec<Texture>,
    /// The arrays of the launch comments.
    pub arrays: Vec<LaunchArray>,
    /// What earlier launches of the host left.
    pub(crate) kept: Kept,
}

/// Bytes that are lost at most when an array is read as elements of another size.
const ROUNDED: usize = 64;

/// What a finished launch left of an array.
pub(crate) struct KeptArray {
    /// The allocation of the host. `None`: a variable of the file.
    object: Option<usize>,
    name: Name,
    base: u64,
    data: Arc<Vec<u8>>,
}

/// The arrays of finished launches, and which of them the current launch finds.
#[derive(Default)]
pub(crate) struct Kept {
    arrays: Vec<KeptArray>,
    /// The allocations of the host by the names that the current launch has for them.
    holders: Vec<(String, usize)>,
    marks: (u64, u64),
    finished: bool,
}

impl DeviceStore {
    /// Begins a launch of the host, whose arrays have these names and allocations. It finds what the finished launches
    /// left, at the same addresses. What a failed attempt left is lost.
    pub fn begin_next(&mut self, holders: Vec<(String, usize)>) {
        let mut kept = std::mem::take(&mut self.kept);
        if kept.finished {
            kept.marks = self.memory.marks();
            for array in &self.arrays {
                let object = kept.holder(&array.name);
                if object.is_none() && array.texture.is_some() {
                    continue;
                }
                let held = &self.memory.objects[array.object];
                let mut data = std::mem::take(&mut self.memory.data[held.slot]);
                let base = held.base;
                let old = kept.find(object, &array.name);
                if let Some(tail) = old.map(|at| kept.arrays.remove(at)).filter(|old| old.base == base) {
                    data.extend_from_slice(tail.data.get(data.len()..).unwrap_or_default());
                }
                kept.arrays.push(KeptArray { object, name: array.name.clone(), base, data: Arc::new(data) });
            }
        }
        (kept.holders, kept.finished) = (holders, false);
        *self = Self { memory: Memory::following(kept.marks), kept, ..Self::default() };
    }

    /// Says that the launch has finished, so that the next one finds its arrays.
    pub fn finish_launch(&mut self) {
        self.kept.finished = true;
    }

    /// Bytes that finished launches left.
    pub fn kept_bytes(&self) -> u64 {
        self.kept.arrays.iter().map(|array| array.data.len() as u64).sum()
    }

    /// Bytes of all arrays.
    pub fn bytes(&self) -> u64 {
        self.memory.data.iter().map(|data| data.len() as u64).sum::<u64>() + self.kept_bytes()
    }

    /// Forgets what finished launches left.
    pub fn forget_kept(&mut self) {
        self.kept.arrays.clear();
    }

    /// Gives a new array the address and the contents that an earlier launch left.
    pub(crate) fn take_over(&mut self, array: &mut LaunchArray) {
        let object = self.kept.holder(&array.name);
        if object.is_none() && array.texture.is_some() {
            return;
        }
        let Some(at) = self.kept.find(object, &array.name) else { return };
        let KeptArray { base, data, .. } = &self.kept.arrays[at];
        let slot = self.memory.objects[array.object].slot;
        let now = &mut self.memory.data[slot];
        let common = now.len().min(data.len());
        // An array that grew is another one.
        if now.len().max(data.len()) - common < ROUNDED {
            now[..common].copy_from_slice(&data[..common]);
            self.memory.move_last(array.object, *base);
            array.before = InitialContents::written(Arc::clone(data));
        }
    }
}

impl Kept {
    fn holder(&self, name: &str) -> Option<usize> {
        self.holders.iter().find(|(n, _)| n == name).map(|(_, object)| *object)
    }

    fn find(&self, object: Option<usize>, name: &Name) -> Option<usize> {
        self.arrays.iter().position(|kept| kept.object == object && (object.is_some() || kept.name == *name))
    }
}
