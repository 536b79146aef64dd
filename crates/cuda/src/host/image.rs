//! Arrays, textures and surfaces of the host: `cudaArray`, texture objects and pitched memory, as far as their sizes go.

use super::library::fields;
use super::value::{Key, Place, Value};
use super::Host;
use crate::syntax::ast::{Expr, ExprKind, Path, Scalar, TemplateArg, TypeExpr, TypeKind};
use crate::syntax::parse::Parser;
use crate::syntax::token::{Name, Pos};
use std::rc::Rc;

/// Bytes that rows are aligned to.
const PITCH: u64 = 512;
/// Deepest nesting of a description of a resource.
const DEPTH_MAX: u32 = 4;

/// What a texture reads or a `cudaArray` holds: its sizes, outermost first, the type of an element, and the words of a launch
/// comment that say how it is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Image {
    pub dims: Vec<u64>,
    pub texel: Option<String>,
    pub words: Vec<&'static str>,
}

impl Host<'_> {
    /// `cudaCreateChannelDesc<T>()`, or with the bits of each channel and their kind: the type of an element.
    pub(super) fn channels(&mut self, path: &Path, args: &[Expr], pos: Pos) -> Option<Value> {
        if &**path.last() != "cudaCreateChannelDesc" {
            return None;
        }
        match path.args().and_then(|args| args.first()) {
            Some(TemplateArg::Type(ty)) => return Some(Value::Type(Rc::new(self.bound_type(ty).into_owned()))),
            // A name that only the host knows as a type.
            Some(TemplateArg::Value(Expr { kind: ExprKind::Name(name), .. })) => {
                return Some(Value::Type(Rc::new(Parser::plain_type(TypeKind::Named(name.clone()), pos))));
            }
            _ => {}
        }
        let bits: Vec<i64> = args.iter().take(4).filter_map(|e| self.eval(e).as_int()).filter(|n| *n > 0).collect();
        let kind = match args.get(4).map(|e| &e.kind) {
            Some(ExprKind::Name(path)) => path.last().to_string(),
            _ => String::new(),
        };
        let unsigned = kind.ends_with("Unsigned");
        let (base, scalar) = match (bits.first()?, kind.ends_with("Float"), unsigned) {
            (32, true, _) => ("float", Scalar::F32),
            (8, _, true) => ("uchar", Scalar::U8),
            (8, ..) => ("char", Scalar::I8),
            (16, _, true) => ("ushort", Scalar::U16),
            (16, ..) => ("short", Scalar::I16),
            (_, _, true) => ("uint", Scalar::U32),
            _ => ("int", Scalar::I32),
        };
        let kind = match bits.len() {
            1 => TypeKind::Scalar(scalar),
            n => TypeKind::Named(Path::simple(Name::from(format!("{base}{n}").as_str()))),
        };
        Some(Value::Type(Rc::new(Parser::plain_type(kind, pos))))
    }

    fn texel(&mut self, ty: &TypeExpr) -> Option<String> {
        match &ty.kind {
            TypeKind::Named(path) => path.plain().map(ToString::to_string),
            _ => self.template_text(&TemplateArg::Type(ty.clone())),
        }
    }

    /// `cudaMallocArray(&array, &channels, width, height)` or `cudaMalloc3DArray(&array, &channels, extent)`
    pub(super) fn new_array(&mut self, values: &[Value]) -> Value {
        let channels = match values.get(1) {
            Some(Value::Address(place)) => self.get(place),
            _ => Value::Unknown,
        };
        let texel = if let Value::Type(ty) = channels { self.texel(&ty) } else { None };
        let dims: Vec<Value> = match values.get(2) {
            Some(extent @ Value::Parts(_)) => ["depth", "height", "width"].map(|name| part(extent, name)).to_vec(),
            _ => values.iter().skip(2).take(2).rev().cloned().collect(),
        };
        // A height of 0 is that of an array of one dimension.
        let whole = |value: &Value| value.as_int().and_then(|n| u64::try_from(n).ok());
        let known = dims.iter().map(whole).collect::<Option<Vec<u64>>>().unwrap_or_default();
        let skip = known.iter().take(known.len().saturating_sub(1)).take_while(|n| **n <= 1).count();
        self.image(Image { dims: known[skip..].to_vec(), texel, ..Image::default() })
    }

    /// A pointer to something with sizes.
    fn image(&mut self, image: Image) -> Value {
        let pointer = self.allocate(None, 0);
        if let Some(object) = self.objects.last_mut().filter(|_| !image.dims.is_empty() && !image.dims.contains(&0)) {
            object.image = Some(image);
        }
        pointer
    }

    /// `cudaCreateTextureObject(&texture, &resource, &description, …)`, or the same of a surface.
    pub(super) fn texture(&mut self, values: &[Value]) -> Value {
        let seen = |i: usize| match values.get(i) {
            Some(Value::Address(place)) => self.get(place),
            _ => Value::Unknown,
        };
        let (resource, how) = (seen(1), seen(2));
        let Some(Value::Pointer { object: Some(object), element, .. }) =
            find(&resource, 0, &|v| matches!(v, Value::Pointer { object: Some(_), .. }))
        else {
            return Value::Unknown;
        };
        let mut image = self.objects[object].image.clone().unwrap_or_default();
        if image.dims.is_empty() {
            let rows = part(&part(&resource, "res"), "pitch2D");
            let sides = ["height", "width"].map(|name| part(&rows, name).as_int().and_then(|n| u64::try_from(n).ok()));
            image.dims = match (sides, self.objects[object].bytes) {
                ([Some(height), Some(width)], _) => vec![height, width],
                (_, Some(bytes)) => bytes.checked_div(element).into_iter().collect(),
                _ => Vec::new(),
            };
            if let Some(Value::Type(ty)) = find(&resource, 0, &|v| matches!(v, Value::Type(_))) {
                image.texel = self.texel(&ty);
            }
        }
        let number = |value: Value| value.as_int().unwrap_or(0);
        let normalized = number(part(&how, "normalizedCoords")) != 0;
        let edge = number(part(&how, "addressMode").get(&Key::At(0)));
        let edges = [(0, if normalized { "wrap" } else { "clamp" }), (2, "mirror"), (3, "border")];
        image.words = edges.into_iter().filter(|(n, _)| *n == edge).map(|(_, word)| word).collect();
        image.words.extend(normalized.then_some("normalized"));
        image.words.extend((number(part(&how, "filterMode")) == 1).then_some("linear"));
        self.image(image)
    }

    /// `cudaMalloc3D(&pitched, extent)`
    pub(super) fn pitched(&mut self, place: &Place, extent: Option<&Value>) -> Value {
        let number = |name: &str| {
            let value = extent.map(|e| part(e, name)).and_then(|v| v.as_int());
            value.and_then(|n| u64::try_from(n).ok())
        };
        let pitch = number("width").and_then(|width| width.checked_next_multiple_of(PITCH));
        let rows = number("height").zip(number("depth")).and_then(|(h, d)| h.checked_mul(d));
        let pointer = self.allocate(pitch.zip(rows).and_then(|(pitch, rows)| pitch.checked_mul(rows)), 1);
        let known = |n: Option<u64>| n.map_or(Value::Unknown, |n| Value::int(n as i64));
        let values = vec![pointer, known(pitch), known(number("width")), known(number("height"))];
        self.set(place, fields(["ptr", "pitch", "xsize", "ysize"], values));
        Value::int(0)
    }
}

fn part(value: &Value, name: &str) -> Value {
    value.get(&Key::Field(Name::from(name)))
}

/// The first value of a kind in the members of a struct.
fn find(value: &Value, depth: u32, fits: &impl Fn(&Value) -> bool) -> Option<Value> {
    match value {
        value if fits(value) => Some(value.clone()),
        Value::Parts(parts) if depth < DEPTH_MAX => parts.iter().find_map(|(_, v)| find(v, depth + 1, fits)),
        _ => None,
    }
}
