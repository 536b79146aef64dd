//! Loads, stores and atomics of a warp: bounds, data, and what is recorded.

use super::code::{Atomic, Bin, Fetch, Ins, Known, Mem, Num, Op, SILENT};
use super::memory::{get, object_of, Memory, Object, ADDRESS, LOCAL_BASE};
use super::run::{Device, Run};
use super::scalar;
use super::warp::{Event, Narrow, Warp, Wide, FULL, LANES};
use super::RunFault;

/// Lanes that access one object.
struct Group {
    object: usize,
    mask: u32,
    /// Offset in the object of every lane; lanes outside of the mask have that of the first one.
    offsets: Wide,
}

impl Group {
    /// Bytes from each active lane to the next, if that is the same throughout.
    #[inline(always)]
    fn stride(&self) -> Option<i64> {
        if self.mask == FULL {
            let step = self.offsets[1].wrapping_sub(self.offsets[0]);
            let mut off = 0;
            for i in 1..LANES {
                off |= self.offsets[i].wrapping_sub(self.offsets[i - 1]) ^ step;
            }
            return (off == 0).then_some(step as i64);
        }
        let mut rest = self.mask;
        let mut before = None;
        let mut step = None;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if let Some(previous) = before.replace(self.offsets[lane]) {
                let this = self.offsets[lane].wrapping_sub(previous);
                if *step.get_or_insert(this) != this {
                    return None;
                }
            }
        }
        Some(step.unwrap_or(0) as i64)
    }
}

impl Run {
    /// Runs a load, store, atomic or texture fetch.
    pub(super) fn access(
        &mut self,
        warp: &mut Warp,
        device: &mut Device<'_>,
        ins: &Ins,
        number: u32,
    ) -> Result<(), RunFault> {
        if let Op::Texture(fetch) = ins.op {
            return self.texture(warp, device, ins, fetch, number);
        }
        let pointers = warp.w(ins.args[0]);
        let mut rest = warp.mask;
        while rest != 0 {
            let group = self.group(warp, device.memory, ins, &pointers, rest)?;
            rest &= !group.mask;
            let stride = group.stride();
            let object = &device.memory.objects[group.object];
            if object.space == Known::Shared && self.watch_races {
                self.race(warp.index, &group.offsets, group.mask, object.base, ins);
            }
            if ins.record != SILENT && !object.hidden {
                self.record(warp, object, &group, stride, ins, number);
            }
            self.transfer(warp, device.memory, &group, stride, ins);
        }
        Ok(())
    }

    /// The lanes that access the object of the first lane of `rest`.
    fn group(
        &mut self,
        warp: &Warp,
        memory: &mut Memory,
        ins: &Ins,
        pointers: &Wide,
        rest: u32,
    ) -> Result<Group, RunFault> {
        let first = rest.trailing_zeros() as usize;
        let size = u64::from(access_bytes(ins));
        let found = object_of(pointers[first]).and_then(|o| memory.objects.get(o).map(|object| (o, object)));
        let Some((number, object)) = found else { return Err(self.wild(warp, ins, pointers[first], first)) };
        let tag = pointers[first] >> 48;
        let mut mask = rest;
        let mut other = 0;
        for p in pointers {
            other |= (p >> 48) ^ tag;
        }
        if other != 0 {
            let same = |lane: &usize| pointers[*lane] >> 48 == tag;
            mask = rest & (0..LANES).filter(same).fold(0, |m, lane| m | 1 << lane);
        }
        let by = (ins.imm as u64).wrapping_sub(object.base);
        let start = (pointers[first] & ADDRESS).wrapping_add(by);
        let mut offsets = [start; LANES];
        let (mut most, mut bits) = (0, 0);
        if mask == FULL {
            for i in 0..LANES {
                offsets[i] = (pointers[i] & ADDRESS).wrapping_add(by);
                most = most.max(offsets[i]);
                bits |= offsets[i];
            }
        } else {
            for i in 0..LANES {
                if mask >> i & 1 != 0 {
                    offsets[i] = (pointers[i] & ADDRESS).wrapping_add(by);
                }
                most = most.max(offsets[i]);
                bits |= offsets[i];
            }
        }
        if most > object.bytes.wrapping_sub(size) || object.bytes < size {
            let bad =
                |lane: &usize| mask >> lane & 1 != 0 && (object.bytes < size || offsets[*lane] > object.bytes - size);
            let lane = (0..LANES).find(bad).unwrap_or(first);
            return Err(self.beyond(warp, ins, object, offsets[lane], lane));
        }
        let align = size.max(u64::from(if ins.record == SILENT { 1 } else { ins.record })).min(16);
        if bits & (align - 1) != 0 && align.is_power_of_two() {
            let lane = (0..LANES).find(|l| mask >> l & 1 != 0 && offsets[*l] & (align - 1) != 0).unwrap_or(first);
            return Err(self.misaligned(warp, ins, object, offsets[lane], lane, align));
        }
        Ok(Group { object: number, mask, offsets })
    }

    fn record(&mut self, warp: &mut Warp, object: &Object, group: &Group, stride: Option<i64>, ins: &Ins, number: u32) {
        let bytes = ins.record.max(1);
        let site = self.site(number, object.space, ins, bytes);
        let gap = (warp.gap / super::cost::ONE) as u32;
        warp.gap %= super::cost::ONE;
        let mask = group.mask;
        self.count(object.space, ins.op);
        if object.space == Known::Local {
            // Word after word of a thread's local memory lies one warp's width apart.
            let unit = u64::from(bytes);
            let warp_base = LOCAL_BASE
                + (self.linear_block * self.warps_per_block + u64::from(warp.index)) * self.local_bytes * LANES as u64;
            let of = |lane: usize| {
                let offset = object.base + group.offsets[lane];
                warp_base + offset / unit * unit * LANES as u64 + lane as u64 * unit + offset % unit
            };
            warp.addresses.extend((0..LANES).filter(|l| mask >> l & 1 != 0).map(of));
            warp.events.push(Event { site, mask, gap, stride: None, base: 0 });
            return;
        }
        let first = group.offsets[mask.trailing_zeros() as usize & 31];
        let base = object.base.wrapping_add(first);
        match stride.and_then(|s| i32::try_from(s).ok()) {
            Some(stride) => warp.events.push(Event { site, mask, gap, stride: Some(stride), base }),
            None => {
                let lanes = (0..LANES).filter(|l| mask >> l & 1 != 0);
                warp.addresses.extend(lanes.map(|l| object.base.wrapping_add(group.offsets[l])));
                warp.events.push(Event { site, mask, gap, stride: None, base: 0 });
            }
        }
    }

    /// Moves the data.
    fn transfer(&mut self, warp: &mut Warp, memory: &mut Memory, group: &Group, stride: Option<i64>, ins: &Ins) {
        let object = &memory.objects[group.object];
        let (mut offsets, mut stride) = (group.offsets, stride);
        let slot = object.slot;
        match object.space {
            Known::Shared => offsets.iter_mut().for_each(|o| *o += object.base),
            Known::Local => {
                for (lane, o) in offsets.iter_mut().enumerate() {
                    *o += object.base + lane as u64 * self.local_bytes;
                }
                stride = None;
            }
            _ => {}
        }
        let space = object.space;
        if let Op::Load(mem) = ins.op {
            let data: &[u8] = match space {
                Known::Shared => &self.shared,
                Known::Local => &warp.local,
                _ => &memory.data[slot],
            };
            // Lanes of another group keep what they have.
            let all = warp.mask;
            if mem == Mem::B64 {
                let out = read64(data, &offsets);
                let old = warp.w(ins.dst);
                let merged: Wide = std::array::from_fn(|i| if group.mask >> i & 1 != 0 { out[i] } else { old[i] });
                warp.put_wide(ins.dst, if group.mask == all { &out } else { &merged });
            } else {
                let full = group.mask == FULL;
                let out = if mem == Mem::B32 {
                    read32(data, &offsets, stride.filter(|_| full))
                } else {
                    read_small(data, &offsets, mem)
                };
                if group.mask == all {
                    warp.put(ins.dst, &out);
                } else {
                    let old = warp.n(ins.dst);
                    let merged: Narrow =
                        std::array::from_fn(|i| if group.mask >> i & 1 != 0 { out[i] } else { old[i] });
                    warp.put(ins.dst, &merged);
                }
            }
            return;
        }
        let mut local = std::mem::take(&mut warp.local);
        let data: &mut [u8] = match space {
            Known::Shared => &mut self.shared,
            Known::Local => &mut local,
            _ => &mut memory.data[slot],
        };
        match ins.op {
            Op::Store(mem) => write(warp, data, &offsets, group.mask, stride, ins.args[1], mem),
            Op::Atomic(op, num) => atomic(warp, data, &offsets, group.mask, ins, op, num),
            _ => {}
        }
        warp.local = local;
    }

    fn texture(
        &mut self,
        warp: &mut Warp,
        device: &mut Device<'_>,
        ins: &Ins,
        fetch: Fetch,
        number: u32,
    ) -> Result<(), RunFault> {
        let handles = warp.w(ins.args[0]);
        let coordinate =
            |w: &Warp, d: usize| if ins.args[d + 1] == super::code::NONE { [0; LANES] } else { w.n(ins.args[d + 1]) };
        let c: [Narrow; 3] = std::array::from_fn(|d| coordinate(warp, d));
        let mut out = warp.n(ins.dst);
        let mut offsets = [0; LANES];
        let mut object = None;
        for lane in (0..LANES).filter(|l| warp.mask >> l & 1 != 0) {
            let texture = (handles[lane] as usize).checked_sub(1).and_then(|t| device.textures.get(t));
            let Some(texture) = texture else { return Err(self.no_texture(warp, ins, lane)) };
            let number = texture.object;
            let Some(slot) = device.memory.objects.get(number).map(|o| o.slot) else {
                return Err(self.no_texture(warp, ins, lane));
            };
            (out[lane], offsets[lane]) =
                texture.fetch(&device.memory.data[slot], [c[0][lane], c[1][lane], c[2][lane]], fetch);
            object = Some(number);
        }
        if let (Some(object), true) = (object, ins.record != SILENT) {
            let mut held = device.memory.objects[object].clone();
            held.space = Known::Unknown;
            let first = offsets[warp.mask.trailing_zeros() as usize & 31];
            let spread = std::array::from_fn(|l| if warp.mask >> l & 1 != 0 { offsets[l] } else { first });
            let group = Group { object, mask: warp.mask, offsets: spread };
            let stride = group.stride();
            self.record(warp, &held, &group, stride, ins, number);
        }
        warp.put(ins.dst, &out);
        Ok(())
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

#[inline(always)]
fn read32(data: &[u8], offsets: &Wide, stride: Option<i64>) -> Narrow {
    let at = offsets[0] as usize;
    match stride {
        Some(4) => {
            let mut out = [0; LANES];
            if let Some(bytes) = data.get(at..at + 4 * LANES) {
                for (word, four) in out.iter_mut().zip(bytes.chunks_exact(4)) {
                    *word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                }
            }
            out
        }
        Some(0) => [u32::from_le_bytes(get(data, at)); LANES],
        _ => {
            let mut out = [0; LANES];
            for i in 0..LANES {
                out[i] = u32::from_le_bytes(get(data, offsets[i] as usize));
            }
            out
        }
    }
}

fn read64(data: &[u8], offsets: &Wide) -> Wide {
    std::array::from_fn(|i| u64::from_le_bytes(get(data, offsets[i] as usize)))
}

fn read_small(data: &[u8], offsets: &Wide, mem: Mem) -> Narrow {
    std::array::from_fn(|i| {
        let at = offsets[i] as usize;
        let raw = match mem.bytes() {
            1 => u64::from(get::<1>(data, at)[0]),
            _ => u64::from(u16::from_le_bytes(get(data, at))),
        };
        scalar::narrow(mem, raw) as u32
    })
}

fn write(warp: &Warp, data: &mut [u8], offsets: &Wide, mask: u32, stride: Option<i64>, from: u32, mem: Mem) {
    if mem == Mem::B64 {
        let value = warp.w(from);
        for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
            put(data, offsets[lane], &value[lane].to_le_bytes());
        }
        return;
    }
    let value = &warp.narrow[from as usize];
    if mem == Mem::B32 && mask == FULL && stride == Some(4) {
        let at = offsets[0] as usize;
        if let Some(target) = data.get_mut(at..at + 4 * LANES) {
            for (four, word) in target.chunks_exact_mut(4).zip(value) {
                four.copy_from_slice(&word.to_le_bytes());
            }
        }
        return;
    }
    let bytes = mem.bytes() as usize;
    for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
        put(data, offsets[lane], &value[lane].to_le_bytes()[..bytes]);
    }
}

#[inline(always)]
fn put(data: &mut [u8], at: u64, bytes: &[u8]) {
    if let Some(target) = data.get_mut(at as usize..at as usize + bytes.len()) {
        target.copy_from_slice(bytes);
    }
}

/// Lane after lane, in order of their number: one legal order.
fn atomic(warp: &mut Warp, data: &mut [u8], offsets: &Wide, mask: u32, ins: &Ins, op: Atomic, num: Num) {
    let wide = num.wide();
    let read = |w: &Warp, reg: u32| -> Wide {
        match (reg, wide) {
            (super::code::NONE, _) => [0; LANES],
            (reg, true) => w.w(reg),
            (reg, false) => w.n(reg).map(u64::from),
        }
    };
    let (value, new) = (read(warp, ins.args[1]), read(warp, ins.args[2]));
    let mut old: Wide = if wide { warp.w(ins.dst) } else { warp.n(ins.dst).map(u64::from) };
    for lane in (0..LANES).filter(|l| mask >> l & 1 != 0) {
        let at = offsets[lane] as usize;
        let current =
            if wide { u64::from_le_bytes(get(data, at)) } else { u64::from(u32::from_le_bytes(get(data, at))) };
        old[lane] = current;
        let v = value[lane];
        let next = match op {
            Atomic::Add => scalar::bin(Bin::Add, num, current, v),
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
            put(data, offsets[lane], &next.to_le_bytes());
        } else {
            put(data, offsets[lane], &(next as u32).to_le_bytes());
        }
    }
    if wide {
        warp.put_wide(ins.dst, &old);
    } else {
        warp.put(ins.dst, &old.map(|v| v as u32));
    }
}
