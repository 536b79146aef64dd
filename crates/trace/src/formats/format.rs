//! The formats of trace files, with the names that people see and the words that they choose them by.

/// Formats that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Ocelot `.trc`: one line per thread and access.
    Trc,
    /// Accel-Sim `.traceg`, or `.trace` when raw.
    Traceg {
        /// True when instructions are in arrival order, each with its block and warp.
        raw: bool,
    },
    /// Text of NVBit's mem_trace.
    MemTrace,
    /// NDJSON of CUTracer.
    CuTracer,
    /// Accel-Sim `kernelslist`.
    KernelsList,
    /// Valgrind lackey, an address stream.
    Lackey,
    /// Dinero din, an address stream.
    Din,
    /// Pin's pinatrace, an address stream.
    Pinatrace,
    /// A table with a column of addresses, an address stream.
    Csv,
    /// Addresses of 8 bytes, lowest first: an address stream.
    U64,
    /// libCacheSim's oracleGeneral, an address stream.
    OracleGeneral,
    /// JSON list of device allocations (`device_ptr`, `num_bytes`).
    Allocations,
    /// JSON of another kind: not a trace.
    Json,
    /// CUDA C++: not a trace, but text that makes one when it is run.
    Cuda,
    /// A zip archive: see the files in it.
    Archive,
    /// None of these.
    Unknown,
}

impl Format {
    /// Name shown to people.
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
            Format::Cuda => "CUDA C++",
            Format::Archive => "archive",
            Format::Unknown => "unknown",
        }
    }

    /// True for formats of [`AddressStream`](crate::AddressStream)s, which have no GPU launch: caches of a GPU cannot be
    /// modelled on them, reuse distances can.
    pub fn is_stream(self) -> bool {
        use Format::{Csv, Din, Lackey, OracleGeneral, Pinatrace, U64};
        matches!(self, Lackey | Din | Pinatrace | Csv | U64 | OracleGeneral)
    }

    /// The word that people and links choose it by: one of [`Format::KEYS`], or `unknown`.
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
            Format::Cuda => "cuda",
            Format::Archive | Format::Unknown => "unknown",
        }
    }

    /// Words that can be chosen. A `.traceg` and a raw `.trace` have one reader, as have all kinds of JSON.
    pub const KEYS: [&'static str; 13] = [
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
        "cuda",
    ];

    /// The format of one of [`Format::KEYS`].
    pub fn named(key: &str) -> Option<Self> {
        use Format::{
            Csv, CuTracer, Cuda, Din, Json, KernelsList, Lackey, MemTrace, OracleGeneral, Pinatrace, Traceg, Trc, U64,
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
            assert_eq!(Format::named(key).map(Format::key), Some(key));
        }
        assert_eq!(Format::named("unknown"), None);
        assert_eq!(Format::named("CSV"), None);
    }
}
