//! zip archives (APPNOTE 6.3), read from the front as they come.
//!
//! In: bytes of the archive. Out: every file in it, each read as a file of its own with the name `archive/member`. Members
//! may be stored, deflated, or packed with zstd or xz, and may be compressed files themselves. Lengths and checksums are
//! checked. Folders and what macOS and Windows leave in archives (`__MACOSX`, `.DS_Store`, `Thumbs.db`) are left out.
//!
//! The directory at the end is not used: it would need the whole archive. So a stored member must say its length in
//! front (a program that packs a stream writes it behind), and members that were deleted in place still show.
//!
//! Not modelled: encryption, archives in several volumes, rarer methods.

use crate::containers::unpack::{Fault, Packing};
use crate::input::file::{FileContent, FileReader};
use crate::input::plain::Wanted;
use crate::StreamAccess;
use base::{excerpt, Diagnostics, Severity};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// More files than that are no collection of traces.
const MEMBERS_MAX: usize = 4096;
const LOCAL: &[u8; 4] = b"PK\x03\x04";
const LOCAL_BYTES: usize = 30;
const DESCRIPTOR: &[u8; 4] = b"PK\x07\x08";
const OUTPUT: usize = 64 << 10;

pub(crate) struct Zip {
    name: String,
    limit: u64,
    /// What every member is read as.
    wanted: Wanted,
    /// Heap of the members that are done.
    kept: u64,
    /// A part that is not complete yet.
    held: Vec<u8>,
    place: Place,
    member: Option<Member>,
    /// Members, and whether each came out whole.
    files: Vec<(FileContent, bool)>,
    output: Vec<u8>,
    rim: Diagnostics,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a local header.
    Between,
    /// In a member's data.
    Data,
    /// Before the lengths and the checksum that follow a member's data.
    Descriptor,
    /// At the directory, or where reading on makes no sense.
    End,
}

/// The member that is being read.
struct Member {
    reader: Option<FileReader>,
    inflate: Option<Box<Decompress>>,
    /// Packed bytes left, where the header says.
    left: Option<u64>,
    /// Where the header says.
    crc: Option<u32>,
    sum: Crc,
    long: bool,
    fault: Option<Fault>,
}

/// What a local header says.
struct Header {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    name: String,
    long: bool,
    bytes: usize,
}

impl Zip {
    pub fn new(name: &str, limit: u64, wanted: Wanted) -> Self {
        Self {
            name: name.into(),
            limit,
            wanted,
            kept: 0,
            held: Vec::new(),
            place: Place::Between,
            member: None,
            files: Vec::new(),
            output: vec![0; OUTPUT],
            rim: Diagnostics::new(name),
        }
    }

    /// Takes the next bytes; `budget` is what may still be unpacked. `false`: nothing more is wanted.
    pub fn push(&mut self, bytes: &[u8], depth: u32, budget: &mut u64) -> bool {
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let mut at = 0;
        while self.place != Place::End {
            let rest = &held[at..];
            let taken = match self.place {
                Place::Between => self.between(rest, depth),
                Place::Data => self.data(rest, budget),
                Place::Descriptor => self.descriptor(rest),
                Place::End => None,
            };
            let Some(taken) = taken else { break };
            at += taken;
        }
        self.held = held[at..].to_vec();
        self.place != Place::End
    }

    /// Opens a member; `None` while its header is not complete.
    fn between(&mut self, bytes: &[u8], depth: u32) -> Option<usize> {
        let signature = bytes.first_chunk::<4>()?;
        // A mark that programs put before an archive that could have needed several volumes.
        if signature == DESCRIPTOR && self.files.is_empty() {
            return Some(4);
        }
        if signature != LOCAL {
            self.place = Place::End;
            if !(signature.starts_with(b"PK") && matches!(signature[2..], [1, 2] | [5, 6] | [6, 6] | [6, 7] | [6, 8])) {
                self.tell(Severity::Warning, "a member or the directory", excerpt(signature), CUT);
            }
            return None;
        }
        let header = Header::of(bytes)?;
        if self.files.len() >= MEMBERS_MAX {
            self.place = Place::End;
            let help = "the first 4096 are used; load the others apart";
            self.tell(Severity::Warning, "at most 4096 files in an archive", "more".into(), help);
            return None;
        }
        self.place = Place::Data;
        let taken = header.bytes;
        self.open(header, depth);
        Some(taken)
    }

    fn open(&mut self, header: Header, depth: u32) {
        let base = crate::input::assemble::base_name(&header.name);
        let noise = base.is_empty()
            || header.name.ends_with(['/', '\\'])
            || header.name.starts_with("__MACOSX/")
            || matches!(base, ".DS_Store" | "Thumbs.db" | "desktop.ini");
        let behind = header.flags & 8 != 0;
        let name = format!("{}/{}", self.name, header.name);
        let mut fault = None;
        if header.flags & 1 != 0 {
            let help = "pack the archive again without a password";
            fault = Some(Fault { expected: "files without encryption", found: "an encrypted one".into(), help });
        } else if !matches!(header.method, 0 | 8 | 93 | 95) {
            let found = format!("method {}", header.method);
            let help = "pack the archive again with deflate";
            fault = Some(Fault { expected: "a stored, deflated, zstd or xz member", found, help });
        } else if header.method != 8 && behind && header.packed == 0 {
            let found = "one that does not";
            let help = "pack the archive again from files instead of from a stream";
            fault = Some(Fault { expected: "a member that says its length in front", found: found.into(), help });
        }
        let unknown = behind && header.packed == 0;
        if fault.is_some() && unknown {
            // Nothing tells where the next member begins.
            self.place = Place::End;
        }
        let left = (!unknown).then_some(header.packed);
        let reader = FileReader::inner(&name, self.limit.saturating_sub(self.kept), self.wanted, depth);
        let inflate = (header.method == 8 && fault.is_none()).then(|| Box::new(Decompress::new(false)));
        let member = Member {
            reader: (!noise).then_some(reader),
            inflate,
            left,
            crc: (!behind).then_some(header.crc),
            sum: Crc::new(),
            long: header.long,
            fault,
        };
        self.member = Some(member);
        if self.place == Place::End {
            self.close();
        }
    }

    /// Reads on in a member; `None` when it needs more bytes.
    fn data(&mut self, bytes: &[u8], budget: &mut u64) -> Option<usize> {
        let member = self.member.as_mut()?;
        let room = member.left.map_or(bytes.len(), |left| left.min(bytes.len() as u64) as usize);
        let (taken, ended) = match &mut member.inflate {
            Some(_) if member.fault.is_none() => member.inflate(&bytes[..room], &mut self.output, budget),
            _ => {
                if member.fault.is_none() {
                    member.take(&bytes[..room], budget);
                }
                (room, false)
            }
        };
        if let Some(left) = &mut member.left {
            *left -= taken as u64;
        }
        let broken = member.fault.is_some() && member.left.is_none();
        if broken {
            self.close();
            self.place = Place::End;
        } else if member.left.map_or(ended, |left| left == 0) {
            if !ended && member.inflate.is_some() && member.fault.is_none() {
                member.fault = Some(Fault::cut());
            }
            self.place = Place::Descriptor;
        } else if ended {
            member.fault = Some(Fault::damage("a member that ends before its length"));
        } else if taken == 0 {
            return None;
        }
        Some(taken)
    }

    /// The lengths and the checksum behind a member's data, if there are any.
    fn descriptor(&mut self, bytes: &[u8]) -> Option<usize> {
        let member = self.member.as_mut()?;
        let mut taken = 0;
        let mut crc = member.crc;
        if crc.is_none() {
            let marked = bytes.first_chunk::<4>()? == DESCRIPTOR;
            let start = if marked { 4 } else { 0 };
            taken = start + if member.long { 20 } else { 12 };
            bytes.get(..taken)?;
            crc = Some(word(bytes, start));
        }
        if member.fault.is_none() && crc != Some(member.sum.sum()) {
            member.fault = Some(Fault::damage("a checksum that does not match"));
        }
        self.close();
        self.place = Place::Between;
        Some(taken)
    }

    /// Ends the member that is being read.
    fn close(&mut self) {
        let Some(Member { reader: Some(mut reader), fault, .. }) = self.member.take() else { return };
        let whole = fault.is_none();
        if let Some(fault) = fault {
            reader.fail(Packing::Zip, fault);
        }
        let content = reader.finish();
        self.kept += content.heap_bytes();
        self.files.push((content, whole));
    }

    /// Bytes of its members' address streams.
    pub fn stream_bytes(&self) -> usize {
        let closed: usize = self.files.iter().map(|(file, _)| file.stream_bytes()).sum();
        let open = self.member.as_ref().and_then(|member| member.reader.as_ref());
        closed + open.map_or(0, FileReader::stream_bytes)
    }

    /// Hands out what the address streams of its members hold, and forgets it.
    pub fn drain(&mut self, see: &mut dyn FnMut(StreamAccess)) {
        self.files.iter_mut().for_each(|(file, _)| file.drain(see));
        if let Some(reader) = self.member.as_mut().and_then(|member| member.reader.as_mut()) {
            reader.drain(see);
        }
    }

    fn tell(&mut self, severity: Severity, expected: &str, found: String, help: &str) {
        self.rim.add(severity, None, expected, found, help);
    }

    /// The files of the archive, and what there is to say about it.
    pub fn finish(mut self) -> (Vec<FileContent>, Diagnostics) {
        if self.place != Place::End {
            if let Some(member) = &mut self.member {
                member.fault.get_or_insert_with(Fault::cut);
            }
            self.tell(Severity::Warning, "a zip archive with its end", "one that is cut off".into(), CUT);
        }
        self.close();
        if self.files.is_empty() {
            let help = "pack trace files into it, or load them as they are";
            self.tell(Severity::Error, "at least one file in the archive", "none".into(), help);
        }
        let useful = self.files.iter().any(|(file, _)| file.is_useful());
        let excused = |(mut file, whole): (FileContent, bool)| {
            // What lies beside the traces is no fault of them.
            if useful && whole && !file.is_useful() {
                file.excuse();
            }
            file
        };
        (self.files.into_iter().map(excused).collect(), self.rim)
    }
}

const CUT: &str = "what could be unpacked before is used; copy or pack the archive again";

impl Member {
    fn take(&mut self, bytes: &[u8], budget: &mut u64) {
        self.sum.update(bytes);
        if let Some(reader) = &mut self.reader {
            reader.take(bytes, budget);
        }
    }

    /// Bytes taken, and whether the deflated stream has ended.
    fn inflate(&mut self, bytes: &[u8], output: &mut [u8], budget: &mut u64) -> (usize, bool) {
        let mut at = 0;
        loop {
            let Some(inflate) = &mut self.inflate else { return (bytes.len(), false) };
            let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(&bytes[at..], output, FlushDecompress::None);
            at += (inflate.total_in() - before_in) as usize;
            let made = (inflate.total_out() - before_out) as usize;
            self.take(&output[..made], budget);
            match status {
                Ok(Status::StreamEnd) => return (at, true),
                Ok(_) if made == output.len() => {}
                Ok(_) if at < bytes.len() && made > 0 => {}
                Ok(_) => return (at, false),
                Err(error) => {
                    self.fault = Some(Fault::damage(error.to_string()));
                    return (at, false);
                }
            }
        }
    }
}

fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

impl Header {
    /// The local header at the front of `bytes`, if all of it is there.
    fn of(bytes: &[u8]) -> Option<Self> {
        let (name, extra) = (usize::from(half(bytes, 26)), usize::from(half(bytes, 28)));
        let end = LOCAL_BYTES + name + extra;
        if bytes.len() < LOCAL_BYTES || bytes.len() < end {
            return None;
        }
        let mut packed = u64::from(word(bytes, 18));
        let long = Self::long(&bytes[LOCAL_BYTES + name..end]);
        if let Some(length) = long.filter(|_| packed == u64::from(u32::MAX)) {
            packed = length;
        }
        Some(Self {
            flags: half(bytes, 6),
            method: half(bytes, 8),
            crc: word(bytes, 14),
            packed,
            name: String::from_utf8_lossy(&bytes[LOCAL_BYTES..LOCAL_BYTES + name]).into_owned(),
            long: long.is_some(),
            bytes: end,
        })
    }

    /// The packed length of a zip64 extra field.
    fn long(mut extra: &[u8]) -> Option<u64> {
        while extra.len() >= 4 {
            let end = 4 + usize::from(half(extra, 2));
            if half(extra, 0) == 1 {
                return Some(u64::from(word(extra, 12)) | u64::from(word(extra, 16)) << 32);
            }
            extra = extra.get(end..)?;
        }
        None
    }
}
