//! Why loads miss in the L1, in the report of the model `gpu`.

use machine::MissClasses;
use serde::Serialize;

/// Sectors that loads missed in the L1, by class. All but the last add up to the misses.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct GpuMissClasses {
    /// This L1 never had the sector.
    pub compulsory: u64,
    /// A store dropped the line since this L1 had the sector.
    pub dropped: u64,
    /// A fully associative LRU cache with as many lines misses too.
    pub capacity: u64,
    /// A fully associative LRU cache with as many lines holds the sector.
    pub conflict: u64,
    /// Of all these, sectors whose line was there without them.
    pub line_there: u64,
}

impl From<&MissClasses> for GpuMissClasses {
    fn from(classes: &MissClasses) -> Self {
        let &MissClasses { compulsory, dropped, capacity, conflict, line_there } = classes;
        Self { compulsory, dropped, capacity, conflict, line_there }
    }
}

impl GpuMissClasses {
    pub(crate) fn counts(&mut self) -> [&mut u64; 5] {
        [&mut self.compulsory, &mut self.dropped, &mut self.capacity, &mut self.conflict, &mut self.line_there]
    }
}
