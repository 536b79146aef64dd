//! Struct arguments: numbers in braces, where the name of an array of the launch stands for its address.

use crate::launch::arguments::LaunchEnv;
use crate::launch::store::DeviceStore;
use crate::launch::{split, Filler};
use crate::lower::types::{Ty, LEAVES_MAX};
use crate::syntax::ast::Scalar;
use crate::syntax::token::{TextFault, Token};

impl LaunchEnv<'_> {
    /// The initialiser of an array or of an argument that is not a pointer.
    pub(crate) fn list(&self, store: &DeviceStore, tokens: &[Token], ty: &Ty) -> Result<Filler, TextFault> {
        if let ([name], Ty::Pointer(_)) = (tokens, ty) {
            if let Some(held) = store.arrays.iter().find(|a| name.is_ident(&a.name)) {
                return Ok(Filler::Value(Scalar::U64, store.memory.pointer_to_object(held.object)));
            }
        }
        let [open, inner @ .., close] = tokens else { return self.filler(tokens, ty) };
        if !matches!(ty, Ty::Struct(_)) || !open.is("{") || !close.is("}") {
            return self.filler(tokens, ty);
        }
        let flat: Vec<Token> = inner.iter().filter(|t| !t.is("{") && !t.is("}")).cloned().collect();
        let mut textures = Vec::new();
        if ty.leaf_count() <= LEAVES_MAX {
            is_texture(ty, &mut textures);
        }
        let parts = split(&flat).into_iter().filter(|p| !p.is_empty()).enumerate();
        let value = |(i, part): (usize, &[Token])| match part {
            [name] => match store.arrays.iter().find(|a| name.is_ident(&a.name)) {
                Some(held) if textures.get(i) == Some(&true) => Ok((Scalar::U64, held.texture.unwrap_or(0))),
                Some(held) => Ok((Scalar::U64, store.memory.pointer_to_object(held.object))),
                None => self.value(part),
            },
            _ => self.value(part),
        };
        Ok(Filler::List(parts.map(value).collect::<Result<_, _>>()?))
    }
}

/// For each scalar of a value, whether it stands for a texture.
fn is_texture(ty: &Ty, out: &mut Vec<bool>) {
    match ty {
        Ty::Struct(s) => s.fields.iter().for_each(|f| is_texture(&f.ty, out)),
        Ty::Array(element, count) => (0..*count).for_each(|_| is_texture(element, out)),
        Ty::Group(_) | Ty::Lambda(_) => {}
        other => out.push(matches!(other, Ty::Texture(..))),
    }
}
