//! The formats of trace files, with their names for display and the keys by which people and links choose them.

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Ocelot `.trc`, one line per thread and access.
    Trc,
    /// Accel-Sim `.traceg`, or the raw `.trace`.
    Traceg {
        /// The instructions are in arrival order, each with its block and warp.
        raw: bool,
    },
    /// Text of NVBit's mem_trace.
    MemTrace,
    /// NDJSON of CUTracer.
    CuTracer,
    /// Accel-Sim's list of kernels and copies.
    KernelsList,
    /// Valgrind lackey, an address stream.
    Lackey,
    /// Dinero din, an address stream.
    Din,
    /// Pin's pinatrace, an address stream.
    Pinatrace,
    /// A table with a column of addresses, an address stream.
    Csv,
    /// Little-endian addresses of 8 bytes, an address stream.
    U64,
    /// libCacheSim's oracleGeneral, an address stream.
    OracleGeneral,
    /// JSON list of device allocations (`device_ptr`, `num_bytes`).
    Allocations,
    /// Any other JSON. It is not a trace.
    Json,
    /// The text of a profiler, such as Nsight Compute's CSV. Another crate reads it.
    Profile,
    /// CUDA C++, which the emulator can run to make a trace.
    Cuda,
    /// A zip archive, whose members have formats of their own.
    Archive,
    /// A format that this crate does not recognise.
    Unknown,
}

impl Format {
    /// Name for display.
    pub fn name(self) -> &'static str {
        match self {
            Format::Trc => "Ocelot .trc",
            Format::Traceg { raw: false } => "Accel-Sim .traceg",
            Format::Traceg { raw: true } => "Accel-Sim raw .trace",
            Format::MemTrace => "NVBit mem_trace",
            Format::CuTracer => "CUTracer NDJSON",
            Format::KernelsList => "kernelslist",
            Format::Lackey => "Valgrind lackey",
            Format::Din => "Dinero din",
            Format::Pinatrace => "pinatrace",
            Format::Csv => "CSV of addresses",
            Format::U64 => "64-bit addresses",
            Format::OracleGeneral => "libCacheSim oracleGeneral",
            Format::Allocations => "allocations",
            Format::Json => "json",
            Format::Profile => "profile",
            Format::Cuda => "CUDA C++",
            Format::Archive => "archive",
            Format::Unknown => "unknown",
        }
    }

    /// True for formats of [`AddressStream`](crate::AddressStream)s, which have no GPU launch. They allow reuse
    /// distances but no model of a GPU's caches.
    pub fn is_stream(self) -> bool {
        use Format::{Csv, Din, Lackey, OracleGeneral, Pinatrace, U64};
        matches!(self, Lackey | Din | Pinatrace | Csv | U64 | OracleGeneral)
    }

    /// The key by which people and links choose the format: one of [`Format::KEYS`], or `unknown`.
    pub fn key(self) -> &'static str {
        match self {
            Format::Trc => "trc",
            Format::Traceg { .. } => "traceg",
            Format::MemTrace => "mem_trace",
            Format::CuTracer => "cutracer",
            Format::KernelsList => "kernelslist",
            Format::Lackey => "lackey",
            Format::Din => "din",
            Format::Pinatrace => "pinatrace",
            Format::Csv => "csv",
            Format::U64 => "u64",
            Format::OracleGeneral => "oracle_general",
            Format::Allocations | Format::Json => "json",
            Format::Profile => "profile",
            Format::Cuda => "cuda",
            Format::Archive | Format::Unknown => "unknown",
        }
    }

    /// The keys of the formats that can be chosen. `.traceg` and raw `.trace` share a key, and so do all kinds of JSON.
    pub const KEYS: [&'static str; 14] = [
        "trc",
        "traceg",
        "mem_trace",
        "cutracer",
        "kernelslist",
        "lackey",
        "din",
        "pinatrace",
        "csv",
        "u64",
        "oracle_general",
        "json",
        "profile",
        "cuda",
    ];

    /// The format with this key, one of [`Format::KEYS`].
    pub fn from_key(key: &str) -> Option<Self> {
        use Format::{
            Csv, CuTracer, Cuda, Din, Json, KernelsList, Lackey, MemTrace, OracleGeneral, Pinatrace, Profile, Traceg,
            Trc, U64,
        };
        let all = [
            Trc,
            Traceg { raw: false },
            MemTrace,
            CuTracer,
            KernelsList,
            Lackey,
            Din,
            Pinatrace,
            Csv,
            U64,
            OracleGeneral,
            Json,
            Profile,
            Cuda,
        ];
        all.into_iter().find(|format| format.key() == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_names_its_format() {
        for key in Format::KEYS {
            assert_eq!(Format::from_key(key).map(Format::key), Some(key));
        }
        assert_eq!(Format::from_key("unknown"), None);
        assert_eq!(Format::from_key("CSV"), None);
    }
}
