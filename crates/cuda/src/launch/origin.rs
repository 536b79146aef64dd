//! The values that a guessed launch takes from the host code, and where each value comes from.

use crate::host::{HostArg, HostLaunch};
use crate::launch::bounds;
use crate::launch::comment::shown;
use crate::launch::guess::{LaunchGuess, BYTES, ELEMENTS, NUMBER};
use crate::lower::types::Ty;
use crate::lower::Module;
use crate::syntax::ast::{Scalar, TemplateArg, TypeExpr, TypeKind, Unit};
use crate::syntax::lex;
use crate::syntax::parse::parse_fragment;

/// Adds the arrays of an argument, as [`LaunchGuess::pointer`] names them. A member of a struct points to the whole array.
fn add_arrays(name: &str, member: bool, arg: &HostArg, out: &mut Vec<(String, usize)>) {
    match arg {
        HostArg::Array { object, offset, .. } if out.iter().all(|(_, other)| other != object) => {
            out.push((if *offset > 0 && !member { format!("{name}_all") } else { name.into() }, *object));
        }
        HostArg::Fields(fields) => {
            fields.iter().for_each(|(field, arg)| add_arrays(&format!("{name}_{field}"), true, arg, out));
        }
        _ => {}
    }
}

impl LaunchGuess {
    /// Resolves the types that parameters and members point to.
    pub(super) fn learn_widths(&mut self, unit: &Unit, module: &Module) {
        let params = self.kernel.params.iter().map(|p| &p.ty);
        let fields = self.structs.iter().flat_map(|s| &s.fields).map(|f| &f.ty);
        let defaults = self.structs.iter().flat_map(|s| s.template.iter()).filter_map(|p| p.default.as_ref());
        let given = self.kernel.params.iter().flat_map(|p| match &p.ty.kind {
            TypeKind::Named(path) => path.args().map_or(&[][..], |args| args.as_slice()),
            _ => &[],
        });
        let arguments = defaults.chain(given).filter_map(|arg| match arg {
            TemplateArg::Type(ty) => Some(ty),
            TemplateArg::Value(_) => None,
        });
        for ty in params.chain(fields).chain(arguments) {
            if let (TypeKind::Named(path), Ok(Ty::Scalar(scalar))) = (&ty.kind, module.resolve(ty)) {
                self.scalars.extend(path.plain().map(|name| (name.clone(), scalar)));
                continue;
            }
            let (TypeKind::Pointer(to, _) | TypeKind::Array(to, _)) = &ty.kind else { continue };
            let Some(text) = self.type_text(to).filter(|text| !self.widths.iter().any(|(t, _)| t == text)) else {
                continue;
            };
            let resolved =
                parse_fragment(lex(&text).tokens, unit, |f| f.type_name()).and_then(|ty| module.resolve(&ty));
            if let Ok(ty) = resolved {
                self.widths.push((text, ty.size()));
            }
        }
    }

    pub(super) fn width(&self, ty: &str) -> u64 {
        self.widths.iter().find(|(text, _)| text == ty).map_or(4, |(_, bytes)| *bytes).max(1)
    }

    /// Bytes of the arrays that the host allocates for this launch.
    pub fn host_bytes(&self) -> u64 {
        let args = self.host.iter().flat_map(|h| &h.args);
        args.fold(0, |sum, arg| match arg {
            HostArg::Array { bytes: Some(bytes), .. } => sum.saturating_add(*bytes),
            _ => sum,
        })
    }

    /// The arrays of this launch that the host allocates: the name of each and its allocation.
    pub fn host_arrays(&self) -> Vec<(String, usize)> {
        let mut out: Vec<(String, usize)> = Vec::new();
        for (arg, param) in self.host.iter().flat_map(|h| &h.args).zip(&self.kernel.params) {
            let Some(name) = &param.name else { continue };
            add_arrays(name, false, arg, &mut out);
        }
        out
    }

    /// The size that the user gave for a name.
    pub(super) fn given(&self, name: &str) -> Option<i64> {
        self.sizes.given.names.iter().find(|(n, _)| **n == *name).map(|(_, value)| *value)
    }

    pub(super) fn host_arg(&self, i: usize) -> Option<&HostArg> {
        self.host.as_ref()?.args.get(i)
    }

    /// The value of a number. One that guards the threads of a row covers all of them.
    pub(super) fn scalar(&self, scalar: Scalar, arg: Option<&HostArg>, name: &str) -> String {
        let real = matches!(scalar, Scalar::F32 | Scalar::F64);
        match arg {
            Some(HostArg::Int(value, _)) if real => format!("{:?}", *value as f64),
            Some(HostArg::Int(value, _)) => value.to_string(),
            Some(HostArg::Float(value, _)) if real && value.is_finite() => format!("{value:?}"),
            Some(HostArg::Float(value, _)) if !real => (*value as i64).to_string(),
            _ if real => "1.5".into(),
            _ if scalar == Scalar::Bool => "1".into(),
            _ if self.covers && self.number == NUMBER && bounds::guards(&self.kernel, name) => {
                let (grid, block) = self.shape();
                grid[0].saturating_mul(block[0]).min(ELEMENTS).to_string()
            }
            _ => self.number.to_string(),
        }
    }

    /// An array item, or the array of an earlier parameter with the same address.
    pub(super) fn pointer(&self, i: usize, name: &str, to: &TypeExpr, arg: Option<&HostArg>) -> Option<String> {
        let Some(HostArg::Array { object, offset, .. }) = arg else {
            let Some(room) = self.before.get(name) else { return self.array(name, to, i + 1, None) };
            let all = format!("{name}_all");
            return Some(format!("{}, {name} = {all} + {room}", self.array(&all, to, i + 1, None)?));
        };
        let width = self.type_text(to).map_or(8, |ty| self.width(&ty));
        let holder = |n: usize| match self.host_arg(n) {
            Some(HostArg::Array { object: other, .. }) => {
                other == object && matches!(self.kernel.params[n].ty.kind, TypeKind::Pointer(..))
            }
            _ => false,
        };
        let plus = |base: &str, bytes: u64| match bytes / width {
            0 => format!("{name} = {base}"),
            elements => format!("{name} = {base} + {elements}"),
        };
        match (0..i).find(|n| holder(*n)) {
            Some(first) => {
                let base = self.kernel.params[first].name.clone()?;
                let behind = matches!(self.host_arg(first), Some(HostArg::Array { offset, .. }) if *offset > 0);
                let base = if behind { format!("{base}_all") } else { base.to_string() };
                Some(plus(&base, *offset))
            }
            None if *offset > 0 => {
                let all = format!("{name}_all");
                Some(format!("{}, {}", self.array(&all, to, i + 1, arg)?, plus(&all, *offset)))
            }
            None => self.array(name, to, i + 1, arg),
        }
    }

    pub(super) fn elements_at_first(&self, ty: &str, bytes: Option<u64>) -> u64 {
        let width = self.width(ty);
        // Where the grid is a guess, sizes are not cut together, so an array that is too large keeps the size of a guess.
        let bytes = bytes.filter(|bytes| self.follows_host() || *bytes <= BYTES);
        bytes.map_or(ELEMENTS.min(BYTES / width), |bytes| bytes / width).max(1)
    }

    /// Elements of the array of an item at first.
    pub(super) fn size_of_array(&self, name: &str) -> u64 {
        let of = |p: &crate::syntax::ast::Param| {
            p.name.as_deref().is_some_and(|n| n == name || name.strip_suffix("_all") == Some(n))
        };
        let Some(i) = self.kernel.params.iter().position(of) else { return ELEMENTS };
        let (TypeKind::Pointer(to, _) | TypeKind::Array(to, _)) = &self.kernel.params[i].ty.kind else {
            return ELEMENTS;
        };
        let bytes = if let Some(HostArg::Array { bytes, .. }) = self.host_arg(i) { *bytes } else { None };
        self.type_text(to).map_or(ELEMENTS, |ty| self.elements_at_first(&ty, bytes))
    }

    /// Where the blocks and the threads come from.
    pub fn shape_origins(&self) -> (String, String) {
        let (grid, block) = self.shape();
        let of = |value: [u64; 3], pick: fn(&HostLaunch) -> Option<[u64; 3]>, open: fn(&HostLaunch) -> bool| {
            let told = self.host.as_ref().and_then(pick);
            let before = self.uncut.as_ref().and_then(pick).filter(|before| *before != value);
            match (told, before) {
                (Some(_), Some(before)) => format!("cut from {}", shown(before)),
                (Some(told), None) if told == value => self.told(open),
                (Some(told), None) => format!("cut from {}", shown(told)),
                _ => "default".into(),
            }
        };
        (of(grid, |h| h.grid, |h| h.open[0]), of(block, |h| h.block, |h| h.open[1]))
    }

    /// Whether the text of the guess depends on the value of the numbers that nothing decides.
    pub(super) fn follows_number(&self) -> bool {
        let decided = |i: usize| !matches!(self.host_arg(i), None | Some(HostArg::Unknown));
        let params = self.kernel.params.iter().enumerate();
        params.into_iter().any(|(i, p)| match &p.ty.kind {
            TypeKind::Pointer(..) | TypeKind::Array(..) => true,
            _ => !decided(i),
        })
    }

    /// The number of a launch's line, in the file that it stands in.
    fn line_of(&self, host: &HostLaunch) -> String {
        match self.sizes.files.find(host.line) {
            Some((file, line)) => format!("{line} of {file}"),
            None => host.line.to_string(),
        }
    }

    /// The place of the host's launch, such as `host line 12, launch 1 of 3`. It is `None` for a launch that no host code makes.
    pub fn host_place(&self) -> Option<String> {
        self.host.as_ref().map(|_| self.told(|_| false))
    }

    /// The line of the host's launch, and what it does not say.
    fn told(&self, open: fn(&HostLaunch) -> bool) -> String {
        let Some(host) = &self.host else { return "default".into() };
        match self.launches {
            _ if open(host) => self.rests_on_guess(host),
            0 | 1 => format!("host line {}", self.line_of(host)),
            more => {
                let plus = if self.cut_off { " or more" } else { "" };
                format!("host line {}, launch {} of {more}{plus}", self.line_of(host), self.which)
            }
        }
    }

    /// What the host computes from a number that nothing decides.
    fn rests_on_guess(&self, host: &HostLaunch) -> String {
        format!("host line {}, from a number that the host leaves open", self.line_of(host))
    }

    /// Where the value of an item comes from.
    pub fn origin(&self, name: &str) -> String {
        if let Some((.., origin)) = self.sizes.extra.iter().find(|(n, ..)| n == name) {
            return origin.clone();
        }
        if self.elements.get(name).is_some() {
            return "grown until the kernel fitted".into();
        }
        let base = name.strip_suffix("_all").unwrap_or(name);
        let param = self.kernel.params.iter().position(|p| p.name.as_deref() == Some(base));
        let Some((i, host)) = param.zip(self.host.as_ref()) else { return "default".into() };
        if self.given(name).is_some() && !matches!(self.kernel.params[i].ty.kind, TypeKind::Pointer(..)) {
            return "given".into();
        }
        let before = self.uncut.as_ref().and_then(|h| h.args.get(i));
        match (host.args.get(i), before) {
            (Some(HostArg::Int(now, _)), Some(HostArg::Int(before, _))) if now != before => {
                format!("cut from {before}")
            }
            (Some(HostArg::Array { bytes: Some(now), .. }), Some(HostArg::Array { bytes: Some(before), .. }))
                if now != before =>
            {
                let width = match &self.kernel.params[i].ty.kind {
                    TypeKind::Pointer(to, _) => self.type_text(to).map_or(1, |ty| self.width(&ty)),
                    _ => 1,
                };
                format!("cut from {} elements", before / width)
            }
            (Some(HostArg::Int(_, input) | HostArg::Float(_, input)), _) if *input > 0 => {
                format!("default, host line {} leaves it open", self.line_of(host))
            }
            (Some(HostArg::Array { bytes: Some(_), open: true, .. }), _) => self.rests_on_guess(host),
            (Some(HostArg::Unknown | HostArg::Array { bytes: None, .. }) | None, _) => "default".into(),
            _ => format!("host line {}", self.line_of(host)),
        }
    }
}
