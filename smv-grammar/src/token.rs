//! The tokens of the language and its reserved words.
//!
//! Tokens are small and `Copy`; text stays in the source and is named by its [`Span`].

use crate::ast::Span;

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    pub offset: u32,
    /// As NuSMV counts lines.
    pub line: u32,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// Comes first and says what is to be parsed.
    Begin(Begin),
    /// Comes last.
    End,
    /// Not read by the lexer: stands in the grammar where whatever follows is refused.
    #[allow(dead_code)]
    Never,
    Atom(Span),
    Number(i32, Span),
    Word(Span),
    /// Constants that NuSMV reads but does not support.
    Fraction,
    Real,
    Exponential,
    /// `PSLSPEC` and the text that follows, up to its semicolon.
    PslSpec(Span),
    /// A reserved word or a sign.
    K(K, At),
}

/// Reserved words and signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum K {
    // Sections
    Module,
    Define,
    MDefine,
    Constants,
    Var,
    IVar,
    FrozenVar,
    Init,
    Trans,
    Invar,
    Spec,
    CtlSpec,
    LtlSpec,
    Compute,
    Name,
    InvarSpec,
    /// `QUERYSPEC`, where it is no identifier.
    QuerySpec,
    Fairness,
    Justice,
    Compassion,
    Isa,
    Assign,
    Fun,
    /// Words that begin commands or further sections of NuSMV's grammar, refused in a model.
    Constraint,
    SimpWff,
    NextWff,
    CtlWff,
    LtlWff,
    CompWff,
    CompId,
    IType,

    // Types
    Process,
    Array,
    Of,
    Boolean,
    WordType,

    // Operands and functions
    SelfRef,
    True,
    False,
    Case,
    Esac,
    Next,
    InitOf,
    Word1,
    Bool,
    ToInt,
    Signed,
    Unsigned,
    Extend,
    Resize,
    SizeOf,
    UwConst,
    SwConst,
    Count,
    Abs,
    MaxOf,
    MinOf,
    TypeOf,
    Read,
    Write,
    ConstArray,

    // Temporal operators
    Ex,
    Ax,
    Ef,
    Af,
    Eg,
    Ag,
    E,
    A,
    Ebf,
    Abf,
    Ebg,
    Abg,
    Bu,
    F,
    G,
    X,
    O,
    H,
    Y,
    Z,
    U,
    S,
    V,
    T,

    // Other words
    In,
    Min,
    Max,
    Mod,
    Union,
    SetIn,
    Xor,
    Xnor,

    // Signs
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Semicolon,
    Colon,
    Comma,
    Dot,
    DotDot,
    Question,
    /// `?` where an operand stands, in queries only.
    Placeholder,
    Becomes,
    Not,
    And,
    Or,
    Implies,
    Iff,
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
    Plus,
    Minus,
    Times,
    Divide,
    Lsh,
    Rsh,
    Lrot,
    Rrot,
    Concat,
}

impl K {
    /// Whether it begins a module or a section of one, `MDEFINE` and `QUERYSPEC` apart.
    pub fn begins_section(self) -> bool {
        use K::*;
        matches!(
            self,
            Module
                | Define
                | Constants
                | Var
                | IVar
                | FrozenVar
                | Init
                | Trans
                | Invar
                | Spec
                | CtlSpec
                | LtlSpec
                | Compute
                | InvarSpec
                | Fairness
                | Justice
                | Compassion
                | Isa
                | Assign
        )
    }
}

/// What a token stream is to be read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    File,
    Ctl,
    Ltl,
    Invar,
    Compute,
    /// An expression without `next`.
    Simple,
    /// An expression that may contain `next`.
    Next,
    /// A name with dots and indices.
    Name,
    /// Queries with semicolons between.
    Queries,
}

/// The reserved word `text`, or `None` if it is an identifier.
pub fn keyword(text: &[u8]) -> Option<K> {
    Some(match text {
        b"MODULE" => K::Module,
        b"DEFINE" => K::Define,
        b"MDEFINE" => K::MDefine,
        b"CONSTANTS" => K::Constants,
        b"VAR" => K::Var,
        b"IVAR" => K::IVar,
        b"FROZENVAR" => K::FrozenVar,
        b"INIT" => K::Init,
        b"TRANS" => K::Trans,
        b"INVAR" => K::Invar,
        b"SPEC" => K::Spec,
        b"CTLSPEC" => K::CtlSpec,
        b"LTLSPEC" => K::LtlSpec,
        b"COMPUTE" => K::Compute,
        b"NAME" => K::Name,
        b"INVARSPEC" => K::InvarSpec,
        b"FAIRNESS" => K::Fairness,
        b"JUSTICE" => K::Justice,
        b"COMPASSION" => K::Compassion,
        b"ISA" => K::Isa,
        b"ASSIGN" => K::Assign,
        b"FUN" => K::Fun,
        b"CONSTRAINT" => K::Constraint,
        b"SIMPWFF" => K::SimpWff,
        b"NEXTWFF" => K::NextWff,
        b"CTLWFF" => K::CtlWff,
        b"LTLWFF" => K::LtlWff,
        b"COMPWFF" => K::CompWff,
        b"COMPID" => K::CompId,
        b"ITYPE" => K::IType,
        b"process" => K::Process,
        b"array" => K::Array,
        b"of" => K::Of,
        b"boolean" => K::Boolean,
        b"word" => K::WordType,
        b"self" => K::SelfRef,
        b"TRUE" => K::True,
        b"FALSE" => K::False,
        b"case" => K::Case,
        b"esac" => K::Esac,
        b"next" => K::Next,
        b"init" => K::InitOf,
        b"word1" => K::Word1,
        b"bool" => K::Bool,
        b"toint" => K::ToInt,
        b"signed" => K::Signed,
        b"unsigned" => K::Unsigned,
        b"extend" => K::Extend,
        b"resize" => K::Resize,
        b"sizeof" => K::SizeOf,
        b"uwconst" => K::UwConst,
        b"swconst" => K::SwConst,
        b"count" => K::Count,
        b"abs" => K::Abs,
        b"max" => K::MaxOf,
        b"min" => K::MinOf,
        b"typeof" => K::TypeOf,
        b"READ" => K::Read,
        b"WRITE" => K::Write,
        b"CONSTARRAY" => K::ConstArray,
        b"EX" => K::Ex,
        b"AX" => K::Ax,
        b"EF" => K::Ef,
        b"AF" => K::Af,
        b"EG" => K::Eg,
        b"AG" => K::Ag,
        b"E" => K::E,
        b"A" => K::A,
        b"EBF" => K::Ebf,
        b"ABF" => K::Abf,
        b"EBG" => K::Ebg,
        b"ABG" => K::Abg,
        b"BU" => K::Bu,
        b"F" => K::F,
        b"G" => K::G,
        b"X" => K::X,
        b"O" => K::O,
        b"H" => K::H,
        b"Y" => K::Y,
        b"Z" => K::Z,
        b"U" => K::U,
        b"S" => K::S,
        b"V" => K::V,
        b"T" => K::T,
        b"IN" => K::In,
        b"MIN" => K::Min,
        b"MAX" => K::Max,
        b"mod" => K::Mod,
        b"union" => K::Union,
        b"in" => K::SetIn,
        b"xor" => K::Xor,
        b"xnor" => K::Xnor,
        _ => return None,
    })
}
