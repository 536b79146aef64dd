//! The kernel that is rewritten: where its parts are in the text, and the plan of all changes.

use crate::rewrite::facts::{Known, LaunchFacts};
use crate::rewrite::heads::{first_token, heads, remove};
use crate::rewrite::host::HostChange;
use crate::rewrite::pitches::name_pitches;
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::spans::{Edits, Source};
use crate::rewrite::types::{parameter, Template};
use crate::rewrite::uses::{self, Doing, Form, Use, Uses};
use crate::rewrite::{Refusal, Rewritten, Space};
use crate::syntax::ast::{Function, FunctionKind, Storage, TypeKind, Unit, Variable};
use crate::syntax::headers::builtin_macros;
use crate::syntax::lex;
use crate::syntax::macros::define_macro;
use crate::syntax::parse::parse;
use crate::syntax::preprocess::preprocess;
use crate::syntax::token::{Name, Tok};
use bytecode::sorted::{SortedMap, SortedSet};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// A kernel, its text and its launch.
pub(super) struct Kernel<'a> {
    pub source: Source<'a>,
    pub known: Known<'a>,
    pub unit: Unit,
    pub function: Rc<Function>,
    pub uses: Uses,
    /// The first token of the definition.
    pub first: usize,
    /// The braces of the body.
    pub body: (usize, usize),
    /// The brackets of the parameters, of the definition and of each declaration.
    pub heads: Vec<(usize, usize)>,
    /// What reads the arguments of the launches if it is a template.
    pub template: Option<Template>,
}

/// All changes of a rewriting.
#[derive(Default)]
pub(super) struct Plan {
    pub edits: Edits,
    /// Declarations before the kernel.
    pub globals: Vec<String>,
    /// Parameters to remove, and new text for others, by their position.
    pub parameters: Vec<(usize, Option<String>)>,
    /// Statements at the start of the body.
    pub entry: Vec<String>,
    /// What becomes of arguments in host code.
    pub host: Vec<HostChange>,
    /// Bytes of constant arrays.
    pub constant_bytes: u64,
    /// Declarations at the start of the body that need no barrier.
    pub declared: Vec<String>,
    /// Statements at the start of each part of the loop with this number.
    pub parts: SortedMap<usize, Vec<String>>,
    /// Statements at the end of the body.
    pub exit: Vec<String>,
    /// Braces that close before these statements.
    pub braces: usize,
    /// Bytes of tiles.
    pub tile_bytes: u64,
    /// Whether reads of tiles lose their bounds tests, and the first tokens of those that they lost.
    pub unguarded: bool,
    pub guards: SortedSet<usize>,
    pub notes: Vec<String>,
}

pub(super) fn refuse<T>(array: &str, reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { array: array.into(), reason: reason.into() })
}

impl<'a> Kernel<'a> {
    pub fn read(text: &'a str, facts: &'a LaunchFacts) -> Result<Self, Refusal> {
        let source = Source::new(text);
        let mut macros = builtin_macros();
        facts.sizes.iter().for_each(|(name, value)| define_macro(&mut macros, name, &format!("({value})"), true));
        let preprocessed = preprocess(&lex(text), macros);
        let (unit, faults) = parse(preprocessed.tokens);
        if let Some(fault) = faults.first() {
            return refuse("", format!("line {} of the text has an error", fault.pos.line));
        }
        let is = |f: &&Rc<Function>| f.kind == FunctionKind::Kernel && *f.name == *facts.kernel && f.body.is_some();
        let mut all = unit.functions.iter().filter(is);
        let (Some(function), None) = (all.next().cloned(), all.next()) else {
            return refuse("", format!("the text has no kernel `{}`, or several", facts.kernel));
        };
        let Some((heads, body)) = heads(&source, &facts.kernel) else {
            return refuse("", format!("a macro or an included file writes the kernel `{}`", facts.kernel));
        };
        let number = |name: &Name| facts.numbers.iter().find(|(n, _)| **n == **name).map(|(_, value)| *value);
        let template = Template::of(&function, &unit, preprocessed.macros);
        let mut parameters: Vec<_> = function.params.iter().map(|p| p.name.as_ref().and_then(number)).collect();
        parameters.extend(template.iter().flat_map(|template| template.numbers(&function, &unit, facts)));
        let known = Known { facts, parameters, chosen: RefCell::default() };
        let globals: Vec<Name> = unit.globals.iter().map(|g| g.name.clone()).collect();
        let mut uses = uses::find(&function, &globals, &known, &unit);
        name_pitches(&mut uses, &known);
        let first = first_token(&source, heads[0].0);
        Ok(Self { source, known, unit, function, uses, first, body, heads, template })
    }

    /// The changes of the text for these moves. With `unguarded`, reads of tiles lose their bounds tests.
    pub fn plan(&self, moves: &[(&str, Space)], unguarded: bool) -> Result<Plan, Refusal> {
        let mut plan = Plan { unguarded, ..Plan::default() };
        for (array, space) in moves {
            self.check(array, *space)?;
            match space {
                Space::Global => self.to_global(array, &mut plan)?,
                Space::ReadOnly => self.to_readonly(array, &mut plan)?,
                Space::Texture1d => self.to_texture(array, &mut plan)?,
                Space::Texture2d => self.to_texture_2d(array, &mut plan)?,
                Space::Constant => self.to_constant(array, &mut plan)?,
                Space::Shared => self.to_shared(array, &mut plan)?,
            }
        }
        Ok(plan)
    }

    /// Reasons that hold for every memory.
    pub fn check(&self, array: &str, space: Space) -> Result<(), Refusal> {
        if self.uses.declared.contains(array) {
            return refuse(array, "the kernel has a variable of the same name");
        }
        let volatile = |ty: &crate::syntax::ast::TypeExpr| match &ty.kind {
            TypeKind::Pointer(to, _) | TypeKind::Array(to, _) => to.volatile || ty.volatile,
            _ => ty.volatile,
        };
        let parameter = self.parameter(array).map(|p| &self.function.params[p].ty);
        let declared = parameter.or_else(|| self.global(array).map(|g| &g.ty));
        if declared.is_some_and(volatile) {
            return refuse(array, "it is volatile, so the text wants each access as it is");
        }
        let of_pointers = |ty: &crate::syntax::ast::TypeExpr| match &ty.kind {
            TypeKind::Pointer(to, _) | TypeKind::Array(to, _) => matches!(self.named(to).kind, TypeKind::Pointer(..)),
            _ => false,
        };
        if space != Space::Global && declared.is_some_and(of_pointers) {
            return refuse(array, "its elements are pointers, and only arrays of values are moved");
        }
        let pointer = |p: usize| matches!(self.function.params[p].ty.kind, TypeKind::Pointer(..) | TypeKind::Array(..));
        if self.parameter(array).is_some_and(|p| !pointer(p)) {
            let back = self.is_texture_object(array) && space == Space::Global;
            return if back {
                Ok(())
            } else {
                refuse(array, "the parameter is a texture object or a struct, and no pointer")
            };
        }
        if self.parameter(array).is_none() && self.global(array).is_none() {
            return refuse(array, "it is neither a parameter of the kernel nor an array of the file");
        }
        self.check_aliases(array)?;
        let mut own = self.uses_of(array);
        if own.clone().next().is_none() {
            return refuse(array, "the kernel does not use it");
        }
        if space != Space::Global
            && space != Space::Shared
            && own.any(|u| u.doing == Doing::Writes && u.form != Form::Address)
        {
            return refuse(array, "the kernel writes it, and this memory is read only");
        }
        Ok(())
    }

    /// Two parameters of one object have to stay together if the kernel writes it.
    pub fn check_aliases(&self, array: &str) -> Result<(), Refusal> {
        let written = |name: &str| self.uses_of(name).any(|u| u.doing == Doing::Writes);
        for (name, target) in &self.known.facts.aliases {
            let one = self.parameter(target).is_none() && self.global(target).is_none();
            let stale = self.known.array(name).is_some();
            if name == array && (!one || stale) || target == array && (written(name) || written(target)) {
                return refuse(array, format!("`{name}` and `{target}` share one array in this launch"));
            }
            let twin = self.known.facts.aliases.iter().any(|(n, t)| n != name && t == target);
            if name == array && twin {
                return refuse(array, format!("another parameter points into `{target}` too"));
            }
        }
        Ok(())
    }

    /// The position of a parameter.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.function.params.iter().position(|p| p.name.as_deref() == Some(name))
    }

    /// An array of the file.
    pub fn global(&self, name: &str) -> Option<&Rc<Variable>> {
        self.unit.globals.iter().find(|g| *g.name == *name)
    }

    /// Whether the file has an array in constant memory.
    pub fn is_constant(&self, name: &str) -> bool {
        self.global(name).is_some_and(|g| g.storage == Storage::Constant)
    }

    /// Whether an array of the text is in constant memory or a texture object.
    pub fn is_elsewhere(&self, name: &str) -> bool {
        self.is_constant(name) || self.is_texture_object(name)
    }

    pub fn uses_of<'u>(&'u self, array: &'u str) -> impl Iterator<Item = &'u Use> + Clone + 'u {
        self.uses.all.iter().filter(move |u| *u.array == *array)
    }

    /// Elements of an array, and bytes of each.
    pub fn size(&self, array: &str) -> Result<(u64, u64), Refusal> {
        match self.known.array(array).filter(|(elements, bytes)| *elements > 0 && *bytes > 0) {
            Some(size) => Ok(size),
            None => refuse(array, "the launch has no array of this name, so its size is not known"),
        }
    }

    /// The element type of an array as written.
    pub fn element(&self, array: &str) -> Result<String, Refusal> {
        let tokens = match self.parameter(array) {
            Some(number) => {
                let parts = self.source.split(self.heads[0].0, self.heads[0].1);
                parts.get(number).filter(|_| parts.len() == self.function.params.len()).cloned()
            }
            None => self.declaration(array).map(|(first, name)| first..name + 1),
        };
        let Some(tokens) = tokens else { return refuse(array, "its declaration is written by a macro") };
        const DROPPED: [&str; 12] = [
            "const",
            "volatile",
            "__restrict__",
            "__restrict",
            "restrict",
            "__constant__",
            "__device__",
            "static",
            "extern",
            "__shared__",
            "constexpr",
            "__managed__",
        ];
        let mut words = Vec::new();
        for token in &self.source.tokens[tokens] {
            match &token.tok {
                Tok::Ident(name) if **name == *array || DROPPED.contains(&&**name) => {}
                Tok::Ident(name) => words.push(name.to_string()),
                Tok::Punct("*" | "[" | "]") => {}
                Tok::Punct(sign) => words.push((*sign).into()),
                _ => {}
            }
        }
        match words.is_empty() {
            true => refuse(array, "its type is written by a macro"),
            false => Ok(words.join(" ").replace(" :: ", "::").replace(" < ", "<").replace(" >", ">")),
        }
    }

    /// The first token of the declaration of an array of the file, and the token of its name.
    pub fn declaration(&self, array: &str) -> Option<(usize, usize)> {
        let tokens = &self.source.tokens;
        let names = (0..tokens.len()).filter(|&t| tokens[t].is_ident(array));
        names.filter(|t| tokens.get(t + 1).is_some_and(|next| next.is("["))).find_map(|name| {
            let first = (0..name).rev().find(|&t| tokens[t].is(";") || tokens[t].is("}") || tokens[t].is("{"));
            let first = first.map_or(0, |t| t + 1);
            (first..name)
                .find(|&t| tokens[t].is_ident("__constant__") || tokens[t].is_ident("__device__"))
                .map(|word| (word, name))
        })
    }

    /// The token at the name and the bracket behind a use, and the last bracket of the use.
    pub fn place(&self, array: &str, u: &Use) -> Result<(usize, usize, usize), Refusal> {
        let tokens = &self.source.tokens;
        let line = u.pos.line;
        let at = self.source.at(u.pos).filter(|&at| at > 0);
        let found = at.and_then(|at| {
            let is_open = tokens[at].is("[");
            let name = tokens[at.checked_sub(1)?].ident().is_some();
            let mut end = self.source.close(at)?;
            while tokens.get(end + 1).is_some_and(|t| t.is("[")) {
                end = self.source.close(end + 1)?;
            }
            (is_open && name).then_some((at - 1, at, end))
        });
        match (found, u.form) {
            (Some(found), Form::Element | Form::Pointer) => Ok(found),
            (_, Form::Address) => refuse(array, format!("line {line} hands its address on")),
            (_, Form::Dereference) => refuse(array, format!("line {line} reads it with `*`; write an index")),
            _ => refuse(array, format!("a macro in line {line} reads it; write the index there")),
        }
    }

    /// The places of all uses, each once. A place may be in the definition of a macro that the kernel uses.
    pub fn places(&self, array: &str) -> Result<Vec<(usize, usize, usize)>, Refusal> {
        let mut places = SortedSet::default();
        for u in self.uses_of(array) {
            match self.place(array, u) {
                Ok(place) => places.insert(place),
                Err(refusal) => places.insert(self.place_in_macro(array, u).ok_or(refusal)?),
            };
        }
        Ok(places.iter().copied().collect())
    }

    /// The place in the definition of the macro at a use, if it has only one and no other kernel can mean another array.
    fn place_in_macro(&self, array: &str, u: &Use) -> Option<(usize, usize, usize)> {
        let tokens = &self.source.tokens;
        let name = tokens[self.source.at(u.pos)?].ident().filter(|_| u.form == Form::Element)?;
        let kernels = self.unit.functions.iter().filter(|f| f.body.is_some() && f.pos.line > 0).count();
        let defined: Vec<usize> = (2..tokens.len())
            .filter(|&t| tokens[t].is_ident(name) && tokens[t - 1].is_ident("define") && tokens[t - 2].starts_line)
            .collect();
        let [definition] = defined[..] else { return None };
        let line = (definition + 1..tokens.len()).find(|&t| tokens[t].starts_line)?;
        let mut inside = (definition..line).filter(|&t| tokens[t].is_ident(array));
        let (at, None) = (inside.next()?, inside.next()) else { return None };
        let open = Some(at + 1).filter(|open| *open < line && tokens[*open].is("["))?;
        let close = self.source.close(open).filter(|close| *close < line)?;
        (kernels == 1).then_some((at, open, close))
    }

    /// A polynomial as C.
    pub fn text_of(&self, polynomial: &Polynomial) -> String {
        polynomial.text(&|symbol| self.name_of(symbol))
    }

    /// A polynomial as C, in signed numbers where threads take several neighbours. The compiler then sees that they do not overflow, and
    /// that they begin at a multiple of a vector. It joins their loads (NVRTC 12.9).
    pub fn text_of_signed(&self, polynomial: &Polynomial) -> String {
        let several = |(factors, value): (&Vec<Symbol>, &i64)| {
            factors.iter().any(|s| matches!(s, Symbol::Thread(_))) && (*value != 1 || factors.len() > 1)
        };
        let signed = polynomial.0.iter().any(several);
        polynomial.text(&|symbol| match symbol {
            Symbol::Thread(_) if signed => format!("(int){}", self.name_of(symbol)),
            _ => self.name_of(symbol),
        })
    }

    pub fn name_of(&self, symbol: Symbol) -> String {
        let direction = |name: &str, d: usize| format!("{name}.{}", ["x", "y", "z"][d]);
        let parameter = |p: usize| parameter(&self.function, p).map_or("", |(name, _)| name);
        match symbol {
            Symbol::Parameter(p) => parameter(p).to_string(),
            Symbol::Quotient(p, by) => format!("({} / {by})", parameter(p)),
            Symbol::Pitch(length) => length.to_string(),
            Symbol::BlockSize(d) => direction("blockDim", d),
            Symbol::GridSize(d) => direction("gridDim", d),
            Symbol::Block(d) => direction("blockIdx", d),
            Symbol::Thread(d) => direction("threadIdx", d),
            Symbol::Loop(l) => self.uses.loops[l].variable.to_string(),
            Symbol::Part(l) => self.part_name(l),
            Symbol::Round(l) => self.round_name(l),
            Symbol::Chosen(number) => self.known.chosen.borrow()[number].text.clone(),
            // The search for staged arrays names these itself.
            Symbol::Local(_) | Symbol::Operation(_) => String::new(),
        }
    }

    /// Whether another kernel of the file writes the array or hands its address on, which it gets under the same name.
    pub fn other_kernel_writes(&self, array: &str) -> bool {
        let others =
            self.unit.functions.iter().filter(|f| f.kind == FunctionKind::Kernel && f.name != self.function.name);
        let globals: Vec<Name> = self.unit.globals.iter().map(|g| g.name.clone()).collect();
        others.filter(|f| f.params.iter().any(|p| p.name.as_deref() == Some(array))).any(|f| {
            let uses = uses::find(f, &globals, &self.known, &self.unit);
            uses.all.iter().any(|u| *u.array == *array && u.doing == Doing::Writes)
        })
    }

    /// The text with all changes.
    pub fn finish(&self, mut plan: Plan) -> Result<Rewritten, Refusal> {
        self.change_heads(&mut plan)?;
        let (sized, launches) = (plan.tile_bytes > 0 || !plan.globals.is_empty(), self.host_launches());
        self.change_host(&mut plan)?;
        if sized && launches > 1 {
            plan.notes.push(format!(
                "the sizes in the text are those of one launch, and the host has {launches} of this kernel"
            ));
        }
        if !plan.globals.is_empty() {
            let first = self.first;
            let alone = self.source.tokens[first].starts_line;
            plan.edits.insert(
                if alone { self.source.line_start(first) } else { self.source.start(first) },
                format!("{}{}", if alone { "" } else { "\n" }, plan.globals.concat()),
            );
        }
        self.part_loops(&mut plan)?;
        if !plan.entry.is_empty() {
            let barrier = "    __syncthreads();\n";
            plan.edits.insert(self.source.end(self.body.0), format!("\n{}{barrier}", plan.entry.concat()).trim_end());
        }
        if !plan.declared.is_empty() {
            plan.edits.insert(self.source.end(self.body.0), format!("\n{}", plan.declared.concat()).trim_end());
        }
        if !plan.exit.is_empty() {
            let end = self.last_return().unwrap_or(self.body.1);
            let (at, brace) = (self.source.line_start(end), self.source.start(end));
            let own_line = self.source.text[at..brace].trim().is_empty();
            let back = format!("{}    __syncthreads();\n{}", "    }\n".repeat(plan.braces), plan.exit.concat());
            plan.edits.insert(if own_line { at } else { brace }, if own_line { back } else { format!("\n{back}") });
        }
        match plan.edits.apply(self.source.text) {
            Some(text) => Ok(Rewritten { text, notes: plan.notes }),
            None => refuse("", "two moves change the same place of the text; move one array at a time"),
        }
    }

    /// Removes and replaces parameters.
    fn change_heads(&self, plan: &mut Plan) -> Result<(), Refusal> {
        if plan.parameters.is_empty() {
            return Ok(());
        }
        for &(open, close) in &self.heads {
            let parts = self.source.split(open, close);
            if parts.len() != self.function.params.len() {
                return refuse("", "a parameter has a comma in its type, so the text does not show where it ends");
            }
            for (number, text) in &plan.parameters {
                let Some(part) = parts.get(*number) else { continue };
                if let Some(text) = text {
                    plan.edits.replace(self.source.start(part.start)..self.end_of(part), text.clone());
                }
            }
            let gone = |n: usize| plan.parameters.iter().any(|(number, text)| *number == n && text.is_none());
            let kept: Vec<usize> = (0..parts.len()).filter(|n| !gone(*n)).collect();
            remove(&self.source, &mut plan.edits, (open, close), &parts, &kept);
        }
        Ok(())
    }

    fn end_of(&self, part: &Range<usize>) -> usize {
        let start = self.source.start(part.start);
        start + self.source.slice(part.clone()).len()
    }
}
