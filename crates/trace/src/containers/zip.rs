//! zip archives (APPNOTE 6.3), read from front to back.
//!
//! In: bytes of the archive. Out: the content of each member, read as a file with the name `archive/member`. A member
//! may be stored, deflated, or compressed with zstd or xz, and may itself be a compressed file. Lengths and checksums
//! are verified. Folders and the files that macOS and Windows add to archives (`__MACOSX`, `.DS_Store`, `Thumbs.db`)
//! are left out.
//!
//! The directory at the end is not used, because the reader would have to keep the whole archive. So a stored member
//! needs its length in its local header. A program that packs a stream writes the length behind the data. Such a stored
//! member is reported and skipped. Members that were deleted in place are still read.
//!
//! Not modelled: encryption, archives in several volumes, rarer compression methods.

use crate::containers::unpack::{Container, UnpackError};
use crate::input::file::{FileContent, FileReader};
use crate::input::plain::RequestedFormat;
use crate::StreamAccess;
use base::{excerpt, Diagnostics, Severity};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// Most members that are read. A collection of traces has fewer.
const MEMBERS_MAX: usize = 4096;
const LOCAL: &[u8; 4] = b"PK\x03\x04";
const LOCAL_BYTES: usize = 30;
const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";
const OUTPUT: usize = 64 << 10;

pub(crate) struct Zip {
    name: String,
    limit: u64,
    /// The format that the person chose for every member.
    wanted: RequestedFormat,
    /// Heap of the finished members.
    kept: u64,
    /// The bytes of an incomplete part.
    held: Vec<u8>,
    state: ZipState,
    member: Option<Member>,
    /// The finished members, and whether each is undamaged.
    files: Vec<(FileContent, bool)>,
    output: Vec<u8>,
    diagnostics: Diagnostics,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ZipState {
    BeforeHeader,
    Data,
    /// Before the lengths and the checksum that follow the data of a member.
    Descriptor,
    /// At the directory, or at damage behind which no member can be found.
    End,
}

/// The member that is being read.
struct Member {
    reader: Option<FileReader>,
    inflate: Option<Box<Decompress>>,
    /// Compressed bytes left, if the header gives the length.
    left: Option<u64>,
    /// The checksum, if the header gives it.
    crc: Option<u32>,
    sum: Crc,
    /// The lengths behind the data have 8 bytes (zip64).
    long: bool,
    fault: Option<UnpackError>,
}

/// The fields of a local header.
struct LocalHeader {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    name: String,
    /// The header has a zip64 field.
    long: bool,
    /// Length of the header itself.
    bytes: usize,
}

impl Zip {
    pub fn new(name: &str, limit: u64, wanted: RequestedFormat) -> Self {
        Self {
            name: name.into(),
            limit,
            wanted,
            kept: 0,
            held: Vec::new(),
            state: ZipState::BeforeHeader,
            member: None,
            files: Vec::new(),
            output: vec![0; OUTPUT],
            diagnostics: Diagnostics::new(name),
        }
    }

    /// Takes the next bytes. `budget` is the number of bytes that may still be unpacked. Returns `false` at the end.
    pub fn push_bytes(&mut self, bytes: &[u8], depth: u32, budget: &mut u64) -> bool {
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let mut at = 0;
        while self.state != ZipState::End {
            let rest = &held[at..];
            let taken = match self.state {
                ZipState::BeforeHeader => self.open_member(rest, depth),
                ZipState::Data => self.read_data(rest, budget),
                ZipState::Descriptor => self.read_descriptor(rest),
                ZipState::End => None,
            };
            let Some(taken) = taken else { break };
            at += taken;
        }
        self.held = held[at..].to_vec();
        self.state != ZipState::End
    }

    /// Opens a member. Returns `None` while its header is incomplete.
    fn open_member(&mut self, bytes: &[u8], depth: u32) -> Option<usize> {
        let signature = bytes.first_chunk::<4>()?;
        // Some programs write this mark before an archive that could have needed several volumes.
        if signature == DESCRIPTOR && self.files.is_empty() {
            return Some(4);
        }
        if signature != LOCAL {
            self.state = ZipState::End;
            if !(signature.starts_with(b"PK") && matches!(signature[2..], [1, 2] | [5, 6] | [6, 6] | [6, 7] | [6, 8])) {
                self.report(Severity::Warning, "a member or the directory", excerpt(signature), CUT);
            }
            return None;
        }
        let header = LocalHeader::parse(bytes)?;
        if self.files.len() >= MEMBERS_MAX {
            self.state = ZipState::End;
            let help = "the first 4096 are used; load the other files separately";
            self.report(Severity::Warning, "at most 4096 files in an archive", "more".into(), help);
            return None;
        }
        self.state = ZipState::Data;
        let taken = header.bytes;
        self.start_member(header, depth);
        Some(taken)
    }

    fn start_member(&mut self, header: LocalHeader, depth: u32) {
        let base = crate::input::assemble::base_name(&header.name);
        let ignored = base.is_empty()
            || header.name.ends_with(['/', '\\'])
            || header.name.starts_with("__MACOSX/")
            || matches!(base, ".DS_Store" | "Thumbs.db" | "desktop.ini");
        let behind = header.flags & 8 != 0;
        let name = format!("{}/{}", self.name, header.name);
        let mut fault = None;
        if header.flags & 1 != 0 {
            let help = "pack the archive again without a password";
            fault = Some(UnpackError { expected: "files without encryption", found: "an encrypted one".into(), help });
        } else if !matches!(header.method, 0 | 8 | 93 | 95) {
            let found = format!("method {}", header.method);
            let help = "pack the archive again with deflate";
            fault = Some(UnpackError { expected: "a stored, deflated, zstd or xz member", found, help });
        } else if header.method != 8 && behind && header.packed == 0 {
            let found = "a member without";
            let help = "pack the archive again from files instead of from a stream";
            fault =
                Some(UnpackError { expected: "the length of each member in its header", found: found.into(), help });
        }
        let unknown = behind && header.packed == 0;
        if fault.is_some() && unknown {
            // The start of the next member is unknown.
            self.state = ZipState::End;
        }
        let left = (!unknown).then_some(header.packed);
        let reader = FileReader::inner(&name, self.limit.saturating_sub(self.kept), self.wanted, depth);
        let inflate = (header.method == 8 && fault.is_none()).then(|| Box::new(Decompress::new(false)));
        let member = Member {
            reader: (!ignored).then_some(reader),
            inflate,
            left,
            crc: (!behind).then_some(header.crc),
            sum: Crc::new(),
            long: header.long,
            fault,
        };
        self.member = Some(member);
        if self.state == ZipState::End {
            self.close_member();
        }
    }

    /// Reads the data of a member. Returns `None` if it needs more bytes.
    fn read_data(&mut self, bytes: &[u8], budget: &mut u64) -> Option<usize> {
        let member = self.member.as_mut()?;
        let room = member.left.map_or(bytes.len(), |left| left.min(bytes.len() as u64) as usize);
        let (taken, ended) = match &mut member.inflate {
            Some(_) if member.fault.is_none() => member.inflate(&bytes[..room], &mut self.output, budget),
            _ => {
                if member.fault.is_none() {
                    member.push_content(&bytes[..room], budget);
                }
                (room, false)
            }
        };
        if let Some(left) = &mut member.left {
            *left -= taken as u64;
        }
        let broken = member.fault.is_some() && member.left.is_none();
        if broken {
            self.close_member();
            self.state = ZipState::End;
        } else if member.left.map_or(ended, |left| left == 0) {
            if !ended && member.inflate.is_some() && member.fault.is_none() {
                member.fault = Some(UnpackError::truncated());
            }
            self.state = ZipState::Descriptor;
        } else if ended {
            member.fault = Some(UnpackError::damage("a member that ends before its length"));
        } else if taken == 0 {
            return None;
        }
        Some(taken)
    }

    /// Reads the lengths and the checksum behind the data of a member, if there are any.
    fn read_descriptor(&mut self, bytes: &[u8]) -> Option<usize> {
        let member = self.member.as_mut()?;
        let mut taken = 0;
        let mut crc = member.crc;
        if crc.is_none() {
            let marked = bytes.first_chunk::<4>()? == DESCRIPTOR;
            let start = if marked { 4 } else { 0 };
            taken = start + if member.long { 20 } else { 12 };
            bytes.get(..taken)?;
            crc = Some(u32_at(bytes, start));
        }
        if member.fault.is_none() && crc != Some(member.sum.sum()) {
            member.fault = Some(UnpackError::damage("a checksum that does not match"));
        }
        self.close_member();
        self.state = ZipState::BeforeHeader;
        Some(taken)
    }

    /// Ends the current member.
    fn close_member(&mut self) {
        let Some(Member { reader: Some(mut reader), fault, .. }) = self.member.take() else { return };
        let whole = fault.is_none();
        if let Some(fault) = fault {
            reader.report_damage(Container::Zip, fault);
        }
        let content = reader.finish();
        self.kept += content.heap_bytes();
        self.files.push((content, whole));
    }

    /// Heap of the address streams of all members.
    pub fn stream_bytes(&self) -> usize {
        let closed: usize = self.files.iter().map(|(file, _)| file.stream_bytes()).sum();
        let open = self.member.as_ref().and_then(|member| member.reader.as_ref());
        closed + open.map_or(0, FileReader::stream_bytes)
    }

    /// Passes the accesses of the members' address streams to `see` and removes them.
    pub fn drain_streams(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        self.files.iter_mut().for_each(|(file, _)| file.drain_streams(see));
        if let Some(reader) = self.member.as_mut().and_then(|member| member.reader.as_mut()) {
            reader.drain_streams(see);
        }
    }

    fn report(&mut self, severity: Severity, expected: &str, found: String, help: &str) {
        self.diagnostics.add(severity, None, expected, found, help);
    }

    /// The members of the archive, and the diagnostics about the archive itself.
    pub fn finish(mut self) -> (Vec<FileContent>, Diagnostics) {
        if self.state != ZipState::End {
            if let Some(member) = &mut self.member {
                member.fault.get_or_insert_with(UnpackError::truncated);
            }
            self.report(Severity::Warning, "a zip archive with its end", "one that is cut off".into(), CUT);
        }
        self.close_member();
        if self.files.is_empty() {
            let help = "pack trace files into it, or load them as they are";
            self.report(Severity::Error, "at least one file in the archive", "none".into(), help);
        }
        let useful = self.files.iter().any(|(file, _)| file.is_useful());
        let with_severity = |(mut file, whole): (FileContent, bool)| {
            // A file beside the traces, such as a text for readers, is not an error.
            if useful && whole && !file.is_useful() {
                file.demote_to_notes();
            }
            file
        };
        (self.files.into_iter().map(with_severity).collect(), self.diagnostics)
    }
}

const CUT: &str = "the content before the damage is used; copy or pack the archive again";

impl Member {
    fn push_content(&mut self, bytes: &[u8], budget: &mut u64) {
        self.sum.update(bytes);
        if let Some(reader) = &mut self.reader {
            reader.push_within(bytes, budget);
        }
    }

    /// Inflates `bytes`. Returns the number of bytes taken, and whether the deflated stream has ended.
    fn inflate(&mut self, bytes: &[u8], output: &mut [u8], budget: &mut u64) -> (usize, bool) {
        let mut at = 0;
        loop {
            let Some(inflate) = &mut self.inflate else { return (bytes.len(), false) };
            let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(&bytes[at..], output, FlushDecompress::None);
            at += (inflate.total_in() - before_in) as usize;
            let made = (inflate.total_out() - before_out) as usize;
            self.push_content(&output[..made], budget);
            match status {
                Ok(Status::StreamEnd) => return (at, true),
                Ok(_) if made == output.len() => {}
                Ok(_) if at < bytes.len() && made > 0 => {}
                Ok(_) => return (at, false),
                Err(error) => {
                    self.fault = Some(UnpackError::damage(error.to_string()));
                    return (at, false);
                }
            }
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

impl LocalHeader {
    /// The local header at the front of `bytes`, if it is complete.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (name, extra) = (usize::from(u16_at(bytes, 26)), usize::from(u16_at(bytes, 28)));
        let end = LOCAL_BYTES + name + extra;
        if bytes.len() < LOCAL_BYTES || bytes.len() < end {
            return None;
        }
        let mut packed = u64::from(u32_at(bytes, 18));
        let long = Self::zip64_length(&bytes[LOCAL_BYTES + name..end]);
        if let Some(length) = long.filter(|_| packed == u64::from(u32::MAX)) {
            packed = length;
        }
        Some(Self {
            flags: u16_at(bytes, 6),
            method: u16_at(bytes, 8),
            crc: u32_at(bytes, 14),
            packed,
            name: String::from_utf8_lossy(&bytes[LOCAL_BYTES..LOCAL_BYTES + name]).into_owned(),
            long: long.is_some(),
            bytes: end,
        })
    }

    /// The compressed length in a zip64 extra field.
    fn zip64_length(mut extra: &[u8]) -> Option<u64> {
        while extra.len() >= 4 {
            let end = 4 + usize::from(u16_at(extra, 2));
            if u16_at(extra, 0) == 1 {
                return Some(u64::from(u32_at(extra, 12)) | u64::from(u32_at(extra, 16)) << 32);
            }
            extra = extra.get(end..)?;
        }
        None
    }
}
