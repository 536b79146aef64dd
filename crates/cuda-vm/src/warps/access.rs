//! Loads, stores, atomics and texture fetches of a warp: bound checks, the data, and the record in the trace.

use crate::warps::address_shape::AddressShape;
use crate::warps::launch_run::{DeviceState, LaunchRun};
use crate::warps::warp::{AccessEvent, Narrow, Warp, Wide, FULL, LANES};
use bytecode::code::{Atomic, Bin, Fetch, Ins, Mem, MemorySpace, Num, Op, NONE, SILENT, WIDE};
use bytecode::fault::RunFault;
use bytecode::memory::{read_bytes, Memory, MemoryObject, ADDRESS, LOCAL_BASE};
use bytecode::scalar;
use std::ops::Range;

/// The number in the upper bits of a pointer that only says "shared memory": all bits, less one.
const SHARED_WINDOW: usize = 0xfffe;

/// The lanes of one access that touch the same object, and the shape of their offsets.
pub(crate) struct AccessGroup {
    object: usize,
    pub mask: u32,
    /// The number that turns an address into an offset in the object.
    address_to_offset: u64,
    /// Offset of the first lane.
    pub first: u64,
    pub width: u32,
    pub steps: [i32; 2],
}

impl AccessGroup {
    /// The offset of each lane in the object. Lanes outside the mask get that of the first lane.
    pub fn offsets(&self, pointers: &Wide) -> Wide {
        let mut offsets = [self.first; LANES];
        for i in 0..LANES {
            let offset = (pointers[i] & ADDRESS).wrapping_add(self.address_to_offset);
            offsets[i] = if self.mask >> i & 1 != 0 { offset } else { self.first };
        }
        offsets
    }

    /// Whether all lanes run and lie in rows with this step from lane to lane.
    fn rows_of(&self, step: i32) -> bool {
        self.width > 0 && self.mask == FULL && self.steps[0] == step
    }

    /// Offset of the first lane of a row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> usize {
        let pitch = i64::from(self.steps[0]) * (i64::from(self.width) - 1) + i64::from(self.steps[1]);
        self.first.wrapping_add((pitch as u64).wrapping_mul(row as u64)) as usize
    }

    /// Calls `see` for each row with the offset of its first lane and with its lanes.
    #[inline(always)]
    pub fn each_row(&self, mut see: impl FnMut(u64, Range<usize>)) {
        let width = (self.width as usize).max(1);
        for (row, lane) in (0..LANES).step_by(width).enumerate() {
            see(self.row(row) as u64, lane..(lane + width).min(LANES));
        }
    }
}

/// The object of a number in the window of shared memory, which inline PTX uses as an address.
#[cold]
fn shared_object<'m>(memory: &'m Memory, shape: &AddressShape) -> Option<(usize, &'m MemoryObject)> {
    let in_window = shape.object.is_some_and(|o| o as usize == SHARED_WINDOW);
    let holds = |o: &MemoryObject| o.space == MemorySpace::Shared && shape.first.wrapping_sub(o.base) < o.bytes;
    memory.objects.iter().enumerate().find(|(_, o)| in_window && holds(o))
}

impl LaunchRun {
    /// Runs a load, store, atomic or texture fetch.
    pub(crate) fn run_access(
        &mut self,
        warp: &mut Warp,
        device: &mut DeviceState<'_>,
        ins: &Ins,
        number: u32,
    ) -> Result<(), RunFault> {
        if let Op::Texture(fetch) = ins.op {
            return self.run_texture_fetch(warp, device, ins, fetch, number);
        }
        let at = (ins.args[0] & !WIDE) as usize;
        let mut rest = warp.mask;
        while rest != 0 {
            if warp.shapes[at].lanes_known != rest {
                warp.shapes[at] = AddressShape::of_pointers(&warp.wide[at], rest);
            }
            let shape = &warp.shapes[at];
            let group = self.access_group(warp, device.memory, ins, shape)?;
            rest &= !group.mask;
            let object = &device.memory.objects[group.object];
            if object.space == MemorySpace::Shared {
                self.check_race(warp, &group, object.base, ins);
            }
            if ins.record != SILENT && !object.hidden {
                self.record(warp, object, &group, ins, number);
            }
            self.transfer(warp, device.memory, &group, ins);
        }
        Ok(())
    }

    /// The lanes that access the same object as the first lane. Checks their bounds and alignment.
    #[inline]
    fn access_group(
        &self,
        warp: &Warp,
        memory: &Memory,
        ins: &Ins,
        shape: &AddressShape,
    ) -> Result<AccessGroup, RunFault> {
        let size = u64::from(access_bytes(ins));
        let found = shape.object.and_then(|o| memory.objects.get(o as usize).map(|object| (o as usize, object)));
        let Some((number, object)) = found.or_else(|| shared_object(memory, shape)) else {
            let lane = shape.lanes_known.trailing_zeros() as usize & 31;
            return Err(self.wild_pointer_fault(warp, ins, warp.reg64(ins.args[0])[lane], lane));
        };
        let by = (ins.imm as u64).wrapping_sub(object.base);
        let group = AccessGroup {
            object: number,
            mask: shape.mask,
            address_to_offset: by,
            first: shape.first.wrapping_add(by),
            width: shape.width,
            steps: shape.steps,
        };
        let (low, high) = (shape.low.wrapping_add(by), shape.high.wrapping_add(by));
        let align = size.max(u64::from(if ins.record == SILENT { 1 } else { ins.record })).min(16);
        let beyond = object.bytes < size || low.max(high) > object.bytes - size;
        let misaligned = (group.first | shape.bits) & (align - 1) != 0 && align.is_power_of_two();
        if beyond || misaligned {
            return Err(self.bounds_fault(warp, ins, object, &group, beyond, align));
        }
        Ok(group)
    }

    /// Finds the lane of a group that is out of bounds or misaligned, and describes its fault.
    #[cold]
    fn bounds_fault(
        &self,
        warp: &Warp,
        ins: &Ins,
        object: &MemoryObject,
        group: &AccessGroup,
        beyond: bool,
        align: u64,
    ) -> RunFault {
        let offsets = group.offsets(warp.reg64(ins.args[0]));
        let size = u64::from(access_bytes(ins));
        let bad = |lane: &usize| {
            let offset = offsets[*lane];
            let wrong =
                if beyond { object.bytes < size || offset > object.bytes - size } else { offset & (align - 1) != 0 };
            group.mask >> lane & 1 != 0 && wrong
        };
        let lane = (0..LANES).find(bad).unwrap_or(group.mask.trailing_zeros() as usize & 31);
        if beyond {
            self.out_of_bounds_fault(warp, ins, object, offsets[lane], lane)
        } else {
            self.misaligned_fault(warp, ins, object, offsets[lane], lane, align)
        }
    }

    fn record(&mut self, warp: &mut Warp, object: &MemoryObject, group: &AccessGroup, ins: &Ins, number: u32) {
        let bytes = ins.record.max(1);
        let site = self.site_of_instruction(number, object.space, ins, bytes);
        let gap = (warp.gap / bytecode::cost::ONE) as u32;
        warp.gap %= bytecode::cost::ONE;
        // The first lane makes a gathered atomic for all.
        let mask = if ins.promise.gathered { group.mask & group.mask.wrapping_neg() } else { group.mask };
        self.count_access(object.space, ins.op);
        let event = AccessEvent { site, mask, gap, width: 0, steps: [0; 2], base: 0 };
        if object.space != MemorySpace::Local && group.width > 0 {
            let base = object.base.wrapping_add(group.first);
            warp.keep(AccessEvent { width: group.width, steps: group.steps, base, ..event });
            return;
        }
        let offsets = group.offsets(warp.reg64(ins.args[0]));
        let lanes = (0..LANES).filter(|l| mask >> l & 1 != 0);
        if object.space == MemorySpace::Local {
            // The words of a thread's local memory are interleaved across the lanes of its warp.
            let unit = u64::from(bytes);
            let warp_base = LOCAL_BASE
                + (self.linear_block * self.warps_per_block + u64::from(warp.index)) * self.local_bytes * LANES as u64;
            warp.keep_addresses(lanes.map(|lane| {
                let offset = object.base + offsets[lane];
                warp_base + offset / unit * unit * LANES as u64 + lane as u64 * unit + offset % unit
            }));
        } else if mask == FULL {
            warp.keep_addresses(offsets.iter().map(|offset| object.base.wrapping_add(*offset)));
        } else {
            warp.keep_addresses(lanes.map(|lane| object.base.wrapping_add(offsets[lane])));
        }
        warp.keep(event);
    }

    /// Moves the data between registers and memory.
    fn transfer(&mut self, warp: &mut Warp, memory: &mut Memory, group: &AccessGroup, ins: &Ins) {
        let object = &memory.objects[group.object];
        let (slot, space, base) = (object.slot, object.space, object.base);
        if space == MemorySpace::Local {
            return self.transfer_local(warp, group, base, ins);
        }
        let (data, by): (&mut [u8], u64) = match space {
            MemorySpace::Shared => (&mut self.shared, base),
            _ => (&mut memory.data[slot], 0),
        };
        let rows = AccessGroup {
            first: group.first.wrapping_add(by),
            address_to_offset: group.address_to_offset.wrapping_add(by),
            ..*group
        };
        match ins.op {
            Op::Load(Mem::B32) if rows.rows_of(4) => return load_rows(&mut warp.narrow[ins.dst as usize], data, &rows),
            Op::Load(Mem::B32) if rows.rows_of(0) => return load_same(&mut warp.narrow[ins.dst as usize], data, &rows),
            Op::Store(Mem::B32) if rows.rows_of(4) => {
                return store_rows(&warp.narrow[ins.args[1] as usize], data, &rows);
            }
            _ => {}
        }
        let offsets = rows.offsets(warp.reg64(ins.args[0]));
        move_lanes(warp, data, &offsets, group.mask, ins);
    }

    fn transfer_local(&mut self, warp: &mut Warp, group: &AccessGroup, base: u64, ins: &Ins) {
        let mut offsets = group.offsets(warp.reg64(ins.args[0]));
        for (lane, offset) in offsets.iter_mut().enumerate() {
            *offset += base + lane as u64 * self.local_bytes;
        }
        let mut local = std::mem::take(&mut warp.local);
        move_lanes(warp, &mut local, &offsets, group.mask, ins);
        warp.local = local;
    }

    fn run_texture_fetch(
        &mut self,
        warp: &mut Warp,
        device: &mut DeviceState<'_>,
        ins: &Ins,
        fetch: Fetch,
        number: u32,
    ) -> Result<(), RunFault> {
        let handles = *warp.reg64(ins.args[0]);
        let coordinate =
            |w: &Warp, d: usize| if ins.args[d + 1] == NONE { [0; LANES] } else { *w.reg32(ins.args[d + 1]) };
        let c: [Narrow; 3] = std::array::from_fn(|d| coordinate(warp, d));
        let mut out = *warp.reg32(ins.dst);
        let mut offsets = [0; LANES];
        let mut object = None;
        for lane in (0..LANES).filter(|l| warp.mask >> l & 1 != 0) {
            let texture = (handles[lane] as usize).checked_sub(1).and_then(|t| device.textures.get(t));
            let Some(texture) = texture else { return Err(self.no_texture_fault(warp, ins, lane)) };
            let number = texture.object;
            let Some(slot) = device.memory.objects.get(number).map(|o| o.slot) else {
                return Err(self.no_texture_fault(warp, ins, lane));
            };
            (out[lane], offsets[lane]) =
                texture.fetch_channel(&device.memory.data[slot], [c[0][lane], c[1][lane], c[2][lane]], fetch);
            object = Some(number);
        }
        if let (Some(object), true) = (object, ins.record != SILENT) {
            self.record_texture(warp, &device.memory.objects[object], &offsets, ins, number);
        }
        warp.narrow[ins.dst as usize] = out;
        Ok(())
    }

    /// The address of an element of a surface, whose rows follow one another.
    pub(crate) fn surface_pointer(&self, warp: &mut Warp, device: &DeviceState<'_>, ins: &Ins) {
        let handles = *warp.reg64(ins.args[0]);
        let (x, rows) = (*warp.reg32(ins.args[1]), *warp.reg32(ins.args[2]));
        let at = (ins.dst & !WIDE) as usize;
        for lane in (0..LANES).filter(|l| warp.mask >> l & 1 != 0) {
            let texture = (handles[lane] as usize).checked_sub(1).and_then(|t| device.textures.get(t));
            warp.wide[at][lane] = texture.map_or(0, |texture| {
                let clamped = |v: i64, size: u64| v.clamp(0, size.max(1) as i64 - 1);
                let pitch = (texture.width * texture.texel) as i64;
                let (mut x, mut y, mut z) =
                    (i64::from(x[lane] as i32), i64::from(rows[lane] as i16), i64::from(rows[lane] >> 16));
                if ins.imm > 0 {
                    x = x.clamp(0, (pitch - ins.imm).max(0));
                    (y, z) = (clamped(y, texture.height), clamped(z, texture.depth));
                }
                let offset = (z * texture.height as i64 + y) * pitch + x;
                device.memory.pointer_to_object(texture.object).wrapping_add(offset as u64)
            });
        }
        warp.shapes[at] = AddressShape::default();
    }

    fn record_texture(&mut self, warp: &mut Warp, object: &MemoryObject, offsets: &Wide, ins: &Ins, number: u32) {
        let site = self.site_of_instruction(number, MemorySpace::Unknown, ins, ins.record.max(1));
        let gap = (warp.gap / bytecode::cost::ONE) as u32;
        warp.gap %= bytecode::cost::ONE;
        self.count_access(MemorySpace::Unknown, ins.op);
        let mask = warp.mask;
        let lanes = (0..LANES).filter(|l| mask >> l & 1 != 0);
        warp.keep_addresses(lanes.map(|lane| object.base.wrapping_add(offsets[lane])));
        warp.keep(AccessEvent { site, mask, gap, width: 0, steps: [0; 2], base: 0 });
    }
}

/// Bytes that one lane moves.
fn access_bytes(ins: &Ins) -> u32 {
    match ins.op {
        Op::Load(mem) | Op::Store(mem) => mem.bytes(),
        Op::Atomic(_, num) if num.wide() => 8,
        _ => 4,
    }
}

/// Loads rows of consecutive words. Rows of 32 or 16 lanes are frequent and have code of their own.
fn load_rows(out: &mut Narrow, data: &[u8], group: &AccessGroup) {
    match group.width {
        32 => load_fixed::<32, 128>(out, data, group),
        16 => load_fixed::<16, 64>(out, data, group),
        _ => group.each_row(|at, lanes| {
            let at = at as usize;
            let Some(bytes) = data.get(at..at + 4 * lanes.len()) else { return };
            for (word, four) in out[lanes].iter_mut().zip(bytes.chunks_exact(4)) {
                *word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            }
        }),
    }
}

#[inline(always)]
fn load_fixed<const N: usize, const BYTES: usize>(out: &mut Narrow, data: &[u8], group: &AccessGroup) {
    for (row, out) in out.chunks_exact_mut(N).enumerate() {
        let Some(bytes) = data.get(group.row(row)..).and_then(|rest| rest.first_chunk::<BYTES>()) else { return };
        for i in 0..N {
            out[i] = u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
        }
    }
}

/// Loads one word for all lanes of a row.
fn load_same(out: &mut Narrow, data: &[u8], group: &AccessGroup) {
    let word = |at: u64| u32::from_le_bytes(read_bytes(data, at as usize));
    match group.width {
        32 => *out = [word(group.first); LANES],
        16 => {
            let (a, b) = (word(group.first), word(group.row(1) as u64));
            out[..16].copy_from_slice(&[a; 16]);
            out[16..].copy_from_slice(&[b; 16]);
        }
        _ => group.each_row(|at, lanes| out[lanes].fill(word(at))),
    }
}

fn store_rows(value: &Narrow, data: &mut [u8], group: &AccessGroup) {
    match group.width {
        32 => store_fixed::<32, 128>(value, data, group),
        16 => store_fixed::<16, 64>(value, data, group),
        _ => group.each_row(|at, lanes| {
            let at = at as usize;
            let Some(bytes) = data.get_mut(at..at + 4 * lanes.len()) else { return };
            for (four, word) in bytes.chunks_exact_mut(4).zip(&value[lanes]) {
                four.copy_from_slice(&word.to_le_bytes());
            }
        }),
    }
}

#[inline(always)]
fn store_fixed<const N: usize, const BYTES: usize>(value: &Narrow, data: &mut [u8], group: &AccessGroup) {
    for (row, value) in value.chunks_exact(N).enumerate() {
        let Some(bytes) = data.get_mut(group.row(row)..).and_then(|rest| rest.first_chunk_mut::<BYTES>()) else {
            return;
        };
        for i in 0..N {
            bytes[4 * i..4 * i + 4].copy_from_slice(&value[i].to_le_bytes());
        }
    }
}

/// Moves the data lane by lane.
fn move_lanes(warp: &mut Warp, data: &mut [u8], offsets: &Wide, mask: u32, ins: &Ins) {
    match ins.op {
        Op::Load(Mem::B64) => {
            let out = warp.reg64_mut(ins.dst);
            for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
                out[lane] = u64::from_le_bytes(read_bytes(data, offsets[lane] as usize));
            }
        }
        Op::Load(Mem::B32) if mask == FULL => {
            let out = &mut warp.narrow[ins.dst as usize];
            for lane in 0..LANES {
                out[lane] = u32::from_le_bytes(read_bytes(data, offsets[lane] as usize));
            }
        }
        Op::Load(mem) => {
            let out = &mut warp.narrow[ins.dst as usize];
            for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
                out[lane] = read_small(data, offsets[lane] as usize, mem);
            }
        }
        Op::Store(Mem::B64) => {
            let value = warp.reg64(ins.args[1]);
            for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
                put(data, offsets[lane], value[lane].to_le_bytes());
            }
        }
        Op::Store(mem) => {
            let value = warp.reg32(ins.args[1]);
            for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
                let word = value[lane];
                match mem.bytes() {
                    1 => put(data, offsets[lane], [word as u8]),
                    2 => put(data, offsets[lane], (word as u16).to_le_bytes()),
                    _ => put(data, offsets[lane], word.to_le_bytes()),
                }
            }
        }
        Op::Atomic(op, num) => atomic(warp, data, offsets, mask, ins, op, num),
        _ => {}
    }
}

fn read_small(data: &[u8], at: usize, mem: Mem) -> u32 {
    let raw = match mem.bytes() {
        1 => u64::from(read_bytes::<1>(data, at)[0]),
        2 => u64::from(u16::from_le_bytes(read_bytes(data, at))),
        _ => u64::from(u32::from_le_bytes(read_bytes(data, at))),
    };
    scalar::narrow(mem, raw) as u32
}

#[inline(always)]
fn put<const N: usize>(data: &mut [u8], at: u64, bytes: [u8; N]) {
    if let Some(target) = data.get_mut(at as usize..).and_then(|rest| rest.first_chunk_mut()) {
        *target = bytes;
    }
}

/// Runs an atomic lane by lane in order of the lane's number, which is one legal order.
fn atomic(warp: &mut Warp, data: &mut [u8], offsets: &Wide, mask: u32, ins: &Ins, op: Atomic, num: Num) {
    let wide = num.wide();
    let read = |w: &Warp, reg: u32| -> Wide {
        if reg == NONE {
            [0; LANES]
        } else {
            w.bits(reg)
        }
    };
    let (value, new) = (read(warp, ins.args[1]), read(warp, ins.args[2]));
    let mut old = warp.bits(ins.dst);
    for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
        let at = offsets[lane] as usize;
        let current = if wide {
            u64::from_le_bytes(read_bytes(data, at))
        } else {
            u64::from(u32::from_le_bytes(read_bytes(data, at)))
        };
        old[lane] = current;
        let v = value[lane];
        let next = match op {
            Atomic::Add | Atomic::Count => scalar::bin(Bin::Add, num, current, v),
            Atomic::Min => scalar::bin(Bin::Min, num, current, v),
            Atomic::Max => scalar::bin(Bin::Max, num, current, v),
            Atomic::And => current & v,
            Atomic::Or => current | v,
            Atomic::Xor => current ^ v,
            Atomic::Exchange => v,
            Atomic::CompareExchange => {
                if current == v {
                    new[lane]
                } else {
                    current
                }
            }
            Atomic::Increment => {
                if current >= v {
                    0
                } else {
                    current + 1
                }
            }
            Atomic::Decrement => {
                if current == 0 || current > v {
                    v
                } else {
                    current - 1
                }
            }
        };
        if wide {
            put(data, offsets[lane], next.to_le_bytes());
        } else {
            put(data, offsets[lane], (next as u32).to_le_bytes());
        }
    }
    warp.set_bits(ins.dst, &old);
}
