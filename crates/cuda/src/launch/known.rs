//! What a rewriting of the text has to know of a launch's arguments.

use crate::launch::arguments::LaunchEnv;
use crate::launch::store::DeviceStore;
use crate::launch::LaunchItem;
use crate::lower::types::Ty;
use crate::lower::Parameter;
use crate::syntax::ast::Scalar;

impl LaunchEnv<'_> {
    /// The number parameters with their values.
    pub fn numbers(&self) -> Vec<(String, i64)> {
        let value = |scalar: Scalar, bits: u64| match scalar {
            Scalar::I8 => i64::from(bits as i8),
            Scalar::I16 => i64::from(bits as i16),
            Scalar::I32 => i64::from(bits as i32),
            _ => bits as i64,
        };
        let whole = self.known.iter().filter(|(_, scalar, _)| !matches!(scalar, Scalar::F32 | Scalar::F64));
        whole.map(|(name, scalar, bits)| (name.to_string(), value(*scalar, *bits))).collect()
    }

    /// Parameters that point into an array of another name, with the array.
    pub fn aliases(&self, store: &DeviceStore, params: &[Parameter], items: &[&LaunchItem]) -> Vec<(String, String)> {
        let pointers = params.iter().filter(|p| matches!(p.ty, Ty::Pointer(_) | Ty::Texture(..)));
        let alias = |p: &Parameter| {
            let item = items.iter().find(|item| item.name == p.name).filter(|item| item.dims.is_empty())?;
            let target = item.value.as_ref()?.first()?.ident()?;
            store.arrays.iter().any(|a| a.name == *target).then(|| (p.name.to_string(), target.to_string()))
        };
        pointers.filter_map(alias).collect()
    }
}
