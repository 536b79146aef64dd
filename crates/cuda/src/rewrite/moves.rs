//! The moves between memories off the chip.

use crate::rewrite::calls::LOADS;
use crate::rewrite::host::HostChange;
use crate::rewrite::kernel::{refuse, Kernel, Plan};
use crate::rewrite::polynomial::{Polynomial, Symbol};
use crate::rewrite::types::is_builtin;
use crate::rewrite::uses::{Doing, Form, Use};
use crate::rewrite::Refusal;
use crate::syntax::lex;

/// Bytes of constant memory of a file (CUDA programming guide).
const CONSTANT_BYTES: u64 = 65_536;

/// Names of parameters that are functions of the CUDA math library or of host headers. An array of the file cannot have
/// them.
const TAKEN: [&str; 24] = [
    "j0", "j1", "jn", "y0", "y1", "yn", "index", "time", "clock", "signal", "norm", "exp", "log", "sin", "cos", "pow",
    "abs", "div", "gamma", "round", "floor", "ceil", "min", "max",
];

/// Types that a texture can return. Vectors of them have a digit behind.
const TEXELS: [&str; 15] = [
    "float",
    "int",
    "unsigned",
    "unsigned int",
    "uint",
    "short",
    "unsigned short",
    "ushort",
    "char",
    "signed char",
    "unsigned char",
    "uchar",
    "int32_t",
    "uint32_t",
    "uint8_t",
];

impl Kernel<'_> {
    pub fn to_global(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        if self.is_texture_object(array) {
            return self.undo_texture(array, plan);
        }
        if !self.is_constant(array) {
            return match self.parameter(array) {
                Some(_) => Ok(()),
                None => refuse(array, "it is in global memory, or is not a `__constant__` array"),
            };
        }
        let Some((word, _)) = self.declaration(array) else {
            return refuse(array, "its declaration is written by a macro");
        };
        let range = self.source.start(word)..self.source.end(word);
        plan.edits.replace(range, "__device__");
        Ok(())
    }

    pub fn to_readonly(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        for element in self.elements(array)? {
            if !is_texel(&element)
                && !matches!(element.trim_end_matches(['1', '2']), "double" | "long long" | "unsigned long long")
            {
                return refuse(array, format!("`__ldg` does not load a `{element}`"));
            }
        }
        self.check_addresses(array, true)?;
        self.to_global(array, plan)?;
        for (name, _, end) in self.places(array)? {
            if !self.is_loaded(name, end) {
                plan.edits.insert(self.source.start(name), "__ldg(&");
                plan.edits.insert(self.source.end(end), ")");
            }
        }
        Ok(())
    }

    /// Whether the text has `__ldg(&` before a use and `)` behind it.
    pub fn is_loaded(&self, name: usize, end: usize) -> bool {
        let tokens = &self.source.tokens;
        let closed = tokens.get(end + 1).is_some_and(|t| t.is(")"));
        name > 2 && closed && tokens[name - 1].is("&") && tokens[name - 2].is("(") && tokens[name - 3].is_ident("__ldg")
    }

    /// An index that more brackets follow names a row.
    pub fn check_rows(&self, array: &str) -> Result<(), Refusal> {
        for u in self.uses_of(array) {
            if self.place(array, u).is_ok_and(|(_, open, end)| self.source.close(open) != Some(end)) {
                return refuse(array, format!("line {} has several indices, and this memory takes one", u.pos.line));
            }
        }
        Ok(())
    }

    /// The address of an element goes to `__ldg` at most, and only if `loads`. Atomics take an address too.
    pub fn check_addresses(&self, array: &str, loads: bool) -> Result<(), Refusal> {
        match self.addresses(array).find(|&(_, name, end)| !(loads && self.is_loaded(name, end))) {
            Some((u, ..)) => refuse(array, format!("line {} takes the address of an element", u.pos.line)),
            None => Ok(()),
        }
    }

    /// The uses that take the address of an element, with the tokens at the name and at the last bracket.
    fn addresses<'u>(&'u self, array: &'u str) -> impl Iterator<Item = (&'u Use, usize, usize)> + 'u {
        let tokens = &self.source.tokens;
        let operand =
            |t: usize| tokens[t].ident().is_some_and(|n| &**n != "return") || tokens[t].is(")") || tokens[t].is("]");
        let places = self.uses_of(array).filter_map(|u| self.place(array, u).ok().map(|(name, _, end)| (u, name, end)));
        places.filter(move |&(_, name, _)| name > 1 && tokens[name - 1].is("&") && !operand(name - 2))
    }

    /// Functions may read constants through an address, but `__ldg` and its like load from global memory alone.
    fn check_readers(&self, array: &str) -> Result<(), Refusal> {
        let passed = self.uses_of(array).find(|u| u.form == Form::Address);
        let taken = || self.addresses(array).next().map(|(u, ..)| u);
        let loads = || self.source.tokens.iter().any(|t| t.ident().is_some_and(|name| LOADS.contains(&&**name)));
        match passed.or_else(taken).filter(|_| loads()) {
            Some(u) => refuse(array, format!("line {} takes the address of an element", u.pos.line)),
            None => Ok(()),
        }
    }

    pub fn to_constant(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        if self.is_constant(array) {
            return Ok(());
        }
        let Some(parameter) = self.parameter(array) else {
            return refuse(array, "it is a `__device__` array that other code may write");
        };
        // The host copies the array before each launch. Those in comments have no host between them.
        let alone = lex(self.source.text).launches.iter().all(|comment| {
            let mut words = comment.text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.find(|word| !word.is_empty()) == Some(&*self.function.name)
        });
        if !(alone && self.host_launches() > 0) && self.other_kernel_writes(array) {
            return refuse(array, "another kernel of the text writes it before");
        }
        if let Some(u) = self.uses_of(array).find(|u| u.form == Form::Address && u.doing == Doing::Writes) {
            let line = u.pos.line;
            return refuse(array, format!("line {line} hands its address on, so a write cannot be ruled out"));
        }
        self.check_rows(array)?;
        self.check_readers(array)?;
        let (elements, bytes) = self.size(array)?;
        let used = elements * bytes + self.constant_bytes() + plan.constant_bytes;
        if used > CONSTANT_BYTES {
            return refuse(array, format!("{used} bytes of constant memory, there are {CONSTANT_BYTES}"));
        }
        plan.constant_bytes += elements * bytes;
        let element = self.one_element(array)?;
        if element != self.element(array)? && !is_builtin(&element) {
            return refuse(
                array,
                format!("a launch gives it elements of `{element}`, which the text may declare below"),
            );
        }
        let name = match TAKEN.contains(&array) {
            true => self.renamed(array, plan)?,
            false => array.to_string(),
        };
        plan.globals.push(format!("__constant__ {element} {name}[{elements}];\n"));
        plan.parameters.push((parameter, None));
        let before = format!("cudaMemcpyToSymbol(::{name}, @, sizeof(::{name}), 0, cudaMemcpyDeviceToDevice);\n    ");
        plan.host.push(HostChange { parameter, before, argument: None });
        Ok(())
    }

    /// Gives an array another name, here and in the launch comment.
    fn renamed(&self, array: &str, plan: &mut Plan) -> Result<String, Refusal> {
        let taken =
            "a function of the CUDA headers has this name, and an array of the file cannot; rename the parameter";
        let others = self.unit.functions.iter().filter(|f| f.name != self.function.name);
        if others.flat_map(|f| &f.params).any(|p| p.name.as_deref() == Some(array)) {
            return refuse(array, taken);
        }
        let name = self.source.fresh(&format!("{array}_constant"));
        for u in self.uses_of(array) {
            let (at, ..) = self.place(array, u)?;
            if u.form == Form::Element {
                plan.edits.replace(self.source.start(at)..self.source.end(at), name.clone());
            }
        }
        let items = self.launch_items(array);
        match items.as_slice() {
            [] if self.source.text.contains("launch:") => refuse(array, taken),
            [] => Ok(name),
            [at, ..] => {
                plan.edits.replace(*at..at + array.len(), name.clone());
                Ok(name)
            }
        }
    }

    /// Where launch comments declare an array: the first byte of its name.
    fn launch_items(&self, array: &str) -> Vec<usize> {
        let text = self.source.text;
        let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let mut found = Vec::new();
        for comment in lex(text).launches {
            let begin = text.split_inclusive('\n').take(comment.pos.line as usize - 1).map(str::len).sum::<usize>();
            let Some(inside) = text.get(begin..) else { continue };
            let item = inside.match_indices(array).find(|(at, _)| {
                let (before, after) = (inside[..*at].chars().next_back(), &inside[at + array.len()..]);
                !word(before) && after.trim_start().starts_with(':') && !after.trim_start().starts_with("::")
            });
            found.extend(item.map(|(at, _)| begin + at));
        }
        found
    }

    /// Bytes of the constant arrays that the launch knows.
    fn constant_bytes(&self) -> u64 {
        let held =
            |g: &std::rc::Rc<crate::syntax::ast::Variable>| self.known.array(&g.name).map(|(n, bytes)| n * bytes);
        self.unit.globals.iter().filter(|g| self.is_constant(&g.name)).filter_map(held).sum()
    }

    /// What the two kinds of textures have in common. Returns the type of a texel.
    fn texture(&self, array: &str, plan: &mut Plan, rows: Option<&str>) -> Result<String, Refusal> {
        let Some(parameter) = self.parameter(array) else {
            return refuse(array, "it is an array of the file, to which the host binds no texture object");
        };
        for element in self.elements(array)? {
            if !is_texel(&element) {
                return refuse(array, format!("a texture does not return a `{element}`"));
            }
        }
        // The host code does not know the names of the template.
        let element = match self.one_element(array) {
            Err(refusal) if self.host_launches() > 0 => return Err(refusal),
            one => one.or_else(|_| self.element(array))?,
        };
        plan.parameters.push((parameter, Some(format!("cudaTextureObject_t {array}"))));
        let [data_name, rows_name, texel_name, reads_name, texture_name] =
            ["data", "rows", "texel", "reads", "texture"].map(|part| self.source.fresh(&format!("{array}_{part}")));
        let (elements, _) = self.size(array)?;
        let shape = match rows {
            None => format!(
                "{data_name}.resType = cudaResourceTypeLinear;\n    \
                 {data_name}.res.linear.devPtr = (void *)(@);\n    \
                 {data_name}.res.linear.desc = cudaCreateChannelDesc<{element}>();\n    \
                 {data_name}.res.linear.sizeInBytes = {elements} * sizeof({element});\n    "
            ),
            // The rows of a CUDA array lie in blocks, so that neighbours in a column are near.
            Some(width) => format!(
                "cudaArray_t {rows_name};\n    cudaChannelFormatDesc {texel_name} = cudaCreateChannelDesc<{element}>();\n    \
                 cudaMallocArray(&{rows_name}, &{texel_name}, {width}, {elements} / ({width}));\n    \
                 cudaMemcpy2DToArray({rows_name}, 0, 0, @, ({width}) * sizeof({element}), ({width}) * sizeof({element}), \
                 {elements} / ({width}), cudaMemcpyDeviceToDevice);\n    \
                 {data_name}.resType = cudaResourceTypeArray;\n    {data_name}.res.array.array = {rows_name};\n    "
            ),
        };
        let before = format!(
            "cudaResourceDesc {data_name} = {{}};\n    {shape}cudaTextureDesc {reads_name} = {{}};\n    \
             cudaTextureObject_t {texture_name} = 0;\n    \
             cudaCreateTextureObject(&{texture_name}, &{data_name}, &{reads_name}, nullptr);\n    "
        );
        plan.host.push(HostChange { parameter, before, argument: Some(texture_name) });
        self.element(array)
    }

    /// A texture has no address that a variable could hold.
    fn check_pointers(&self, array: &str) -> Result<(), Refusal> {
        let one = |u: &&crate::rewrite::uses::Use| u.form == Form::Pointer;
        if let Some(u) = self.uses_of(array).find(one) {
            return refuse(
                array,
                format!("line {} reads it through a pointer, and a texture has no address", u.pos.line),
            );
        }
        Ok(())
    }

    pub fn to_texture(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        self.check_pointers(array)?;
        self.check_rows(array)?;
        self.check_addresses(array, true)?;
        let element = self.texture(array, plan, None)?;
        for (name, open, end) in self.places(array)? {
            let from = if self.is_loaded(name, end) { name - 3 } else { name };
            let to = if from < name { end + 1 } else { end };
            plan.edits
                .replace(self.source.start(from)..self.source.end(open), format!("tex1Dfetch<{element}>({array}, "));
            plan.edits.replace(self.source.start(end)..self.source.end(to), ")");
        }
        Ok(())
    }

    pub fn to_texture_2d(&self, array: &str, plan: &mut Plan) -> Result<(), Refusal> {
        self.check_pointers(array)?;
        self.check_rows(array)?;
        self.check_addresses(array, true)?;
        let (elements, _) = self.size(array)?;
        let Some(pitch) = self.pitch(array) else {
            return refuse(array, "its indices have no row and column that the text shows");
        };
        let width = self.known.range(&pitch, &[]).map_or(0, |(width, _)| width.max(0) as u64);
        if width == 0 || elements % width != 0 {
            return refuse(array, format!("rows of {width} elements do not divide {elements}"));
        }
        // Neither the host code nor the launch comment knows the values of the template by their names.
        let of_template = |symbol: &Symbol| matches!(symbol, Symbol::Parameter(p) if *p >= self.function.params.len());
        let width_text = match pitch.0.keys().flatten().any(of_template) {
            true => width.to_string(),
            false => self.text_of(&pitch),
        };
        let element = self.texture(array, plan, Some(&width_text))?;
        for u in self.uses_of(array) {
            let (name, _, end) = self.place(array, u)?;
            let Some((row, column)) = u.index.as_ref().and_then(|index| divide(index, &pitch)) else {
                return refuse(array, format!("the index in line {} has no row and column", u.pos.line));
            };
            let reach = self.known.range_in_grid(&column, &self.uses.loops);
            if !reach.is_some_and(|(low, high)| low >= 0 && (high as u64) < width) {
                plan.notes.push(format!(
                    "the column of `{array}` in line {} may leave its row unless a guard prevents it; the text trusts the guard",
                    u.pos.line
                ));
            }
            let from = if self.is_loaded(name, end) { name - 3 } else { name };
            let to = if from < name { end + 1 } else { end };
            let (row, column) = (self.text_of(&row), self.text_of(&column));
            let fetch = format!("tex2D<{element}>({array}, (int)({column}) + 0.5f, (int)({row}) + 0.5f)");
            plan.edits.replace(self.source.start(from)..self.source.end(to), fetch);
        }
        self.add_rows_to_launch(array, &width_text, plan)
    }

    /// Gives the item of the launch comment two dimensions.
    fn add_rows_to_launch(&self, array: &str, width: &str, plan: &mut Plan) -> Result<(), Refusal> {
        let text = self.source.text;
        for at in self.launch_items(array) {
            let open = text[at..].find('[').map(|o| at + o);
            let close = open.and_then(|open| Some(open + text.get(open..)?.find(']')?));
            let (Some(open), Some(close)) = (open, close) else { continue };
            if text[close + 1..].trim_start().starts_with('[') {
                return refuse(array, "the launch comment gives it dimensions of its own");
            }
            plan.edits.insert(open + 1, "(");
            plan.edits.insert(close, format!(") / ({width})][{width}"));
            return Ok(());
        }
        plan.notes.push(format!("`{array}` has rows of {width} elements"));
        match self.source.text.contains("launch:") {
            true => refuse(array, "the launch comment does not say how large it is"),
            false => Ok(()),
        }
    }

    /// The length of a row: the product of parameters that most indices of the array multiply something with.
    pub fn pitch(&self, array: &str) -> Option<Polynomial> {
        let mut counts = bytecode::sorted::SortedMap::<Vec<_>, usize>::default();
        for index in self.uses_of(array).filter_map(|u| u.index.as_ref()) {
            for factors in index.0.keys() {
                let pitch: Vec<_> = factors.iter().copied().filter(|s| s.is_step()).collect();
                if !pitch.is_empty() && pitch.len() < factors.len() {
                    *counts.get_or_insert_with(pitch, || 0) += 1;
                }
            }
        }
        // The shortest one is the innermost: a plane is rows times columns.
        let (pitch, _) = counts.into_iter().max_by_key(|(pitch, count)| (std::cmp::Reverse(pitch.len()), *count))?;
        let mut out = Polynomial::default();
        out.add_term(pitch, 1);
        Some(out)
    }
}

/// The quotient and the rest of an index by the length of a row.
pub(super) fn divide(index: &Polynomial, pitch: &Polynomial) -> Option<(Polynomial, Polynomial)> {
    let (factors, _) = pitch.0.iter().next()?;
    let (mut row, mut column) = (Polynomial::default(), Polynomial::default());
    for (term, value) in index.0.iter() {
        let mut rest = term.clone();
        let whole = factors.iter().all(|factor| match rest.iter().position(|s| s == factor) {
            Some(at) => {
                rest.remove(at);
                true
            }
            None => false,
        });
        match whole {
            true => row.add_term(rest, *value),
            false => column.add_term(term.clone(), *value),
        }
    }
    (!row.0.is_empty()).then_some((row, column))
}

/// Whether a texture returns this type.
fn is_texel(element: &str) -> bool {
    let scalar = element.strip_suffix(['1', '2', '4']).unwrap_or(element);
    TEXELS.contains(&element) || TEXELS.contains(&scalar) && !scalar.contains(' ') && !scalar.ends_with('_')
}
