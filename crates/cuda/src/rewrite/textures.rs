//! Takes back a texture object: the parameter becomes a pointer again.

use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::Refusal;
use crate::syntax::ast::TypeKind;

impl Kernel<'_> {
    /// Whether a parameter is a texture object.
    pub fn is_texture_object(&self, array: &str) -> bool {
        let ty = self.parameter(array).map(|p| &self.function.params[p].ty.kind);
        matches!(ty, Some(TypeKind::Named(path)) if &**path.last() == "cudaTextureObject_t")
    }

    /// Turns `tex1Dfetch<T>(array, i)` into `array[i]`.
    pub fn undo_texture(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        let (source, tokens) = (&self.source, &self.source.tokens);
        let Some(parameter) = self.parameter(array) else { return refuse(array, "it is no parameter") };
        if tokens.iter().any(|token| token.is("<<<")) {
            return refuse(array, "the host code makes a texture object of it");
        }
        let mut element: Option<&str> = None;
        for at in (self.body.0..self.body.1).filter(|&t| tokens[t].is_ident(array)) {
            let line = tokens[at].pos.line;
            let open = (self.body.0..at).rev().take(8).find(|&t| tokens[t].is("<"));
            let call = open.filter(|&open| tokens[open - 1].is_ident("tex1Dfetch"));
            let plain = tokens[at - 1].is("(") && tokens[at - 2].is(">") && tokens[at + 1].is(",");
            let (Some(open), true) = (call, plain) else {
                return refuse(array, format!("line {line} does not read it with `tex1Dfetch<type>`"));
            };
            let ty = source.slice(open + 1..at - 2);
            let close = source.close(at - 1).filter(|_| element.is_none_or(|known| known == ty));
            let Some(close) = close else { return refuse(array, format!("line {line} reads it as another type")) };
            element = Some(ty);
            plan.edits.replace(source.start(open - 1)..source.start(at + 2), format!("{array}["));
            plan.edits.replace(source.start(close)..source.end(close), "]");
        }
        let Some(element) = element else { return refuse(array, "the kernel does not use it") };
        plan.parameters.push((parameter, Some(format!("const {element} *{array}"))));
        plan.notes.push(format!("the host passes the array `{array}` itself and no texture object"));
        Ok(())
    }
}
