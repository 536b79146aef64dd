//! An allocator that counts. A test of peak memory is a program of its own with `#[global_allocator] static A: Counting`,
//! and has one test, because two at a time would count each other's memory.

#![allow(unsafe_code)] // an allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, which counts the bytes that are allocated.
pub struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Bytes that are allocated now.
pub fn live_bytes() -> usize {
    LIVE.load(Relaxed)
}

/// Runs `action`, and gives the most bytes that were allocated meanwhile, those from before included.
pub fn peak_bytes<T>(action: impl FnOnce() -> T) -> (T, usize) {
    PEAK.store(live_bytes(), Relaxed);
    let made = action();
    (made, PEAK.load(Relaxed))
}

// SAFETY: every call is passed on to the system's allocator. Memory does not grow in place, which is the worst case.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(live, Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }
}
