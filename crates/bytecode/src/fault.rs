//! Faults that end a launch.

/// Why a launch ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFault {
    /// Source line, 0 if none.
    pub line: u32,
    /// What the launch should have done.
    pub expected: String,
    /// What it did, with thread and block.
    pub found: String,
    /// How to repair it.
    pub help: String,
    /// What the launch ran into.
    pub cause: FaultCause,
}

/// What a launch ran into. A guessed launch uses it to choose other sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FaultCause {
    /// Something that other sizes do not avoid.
    #[default]
    Nothing,
    /// Beyond the end of a global array: its name and the index.
    Global(std::rc::Rc<str>, u64),
    /// Before the start of a global array: its name and the elements that are missing.
    Before(std::rc::Rc<str>, u64),
    /// An array of fixed size, misaligned access or a failed assertion. Other numbers or
    /// another block size may avoid it.
    Fixed,
    /// The budget of instructions.
    Limit,
    /// The budget of trace bytes.
    TraceSize,
}

impl RunFault {
    /// A fault that other sizes do not avoid.
    pub fn new(line: u32, expected: impl Into<String>, found: impl Into<String>, help: impl Into<String>) -> Self {
        Self { line, expected: expected.into(), found: found.into(), help: help.into(), cause: FaultCause::Nothing }
    }
}
