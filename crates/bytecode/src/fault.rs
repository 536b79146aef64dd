//! Faults of a running kernel.

/// Why a launch ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFault {
    /// Line of the text, 0 if none.
    pub line: u32,
    pub expected: String,
    pub found: String,
    pub help: String,
    pub reach: Reach,
}

/// What an access reached beyond.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    #[default]
    Nothing,
    /// An array of global memory, by name, at this index.
    Global(std::rc::Rc<str>, u64),
    /// An array whose size the text fixes, the start of any, or what numbers or threads of another count would not break.
    Fixed,
    /// What is allowed of instructions or of the trace.
    Limit,
}

impl RunFault {
    pub fn new(line: u32, expected: impl Into<String>, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self { line, expected: expected.into(), found: found.into(), help: help.into(), reach: Reach::Nothing }
    }
}
