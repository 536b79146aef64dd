//! One file per trace format, the traits of the readers, and the parsing of opcodes, headers, lanes and text that
//! formats share.

pub(crate) mod align;
pub(crate) mod binary;
pub(crate) mod cutracer;
pub(crate) mod din;
pub(crate) mod format;
pub(crate) mod header;
pub(crate) mod instruction;
pub(crate) mod kernelslist;
pub(crate) mod lackey;
pub(crate) mod launches;
pub(crate) mod memtrace;
pub(crate) mod pinatrace;
pub(crate) mod reader;
pub(crate) mod sass;
pub(crate) mod stream_reader;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod traceg;
pub(crate) mod trc;
pub(crate) mod uses;
pub(crate) mod write;
pub(crate) mod write_registers;

pub use format::Format;
pub use sass::sass_opcode;
pub use table::CsvColumns;
pub use write::{write_traceg, write_traceg_to, write_trc, write_trc_to, WrittenTrace};
