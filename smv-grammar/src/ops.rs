//! Operators of the language, shared by the source tree ([`crate::ast`]) and by the flattened
//! expressions of the model checker.

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum UnOp {
    /// `! e`, on Booleans and words.
    Not,
    /// `- e`, on integers and words.
    Neg,
    /// `next(e)`.
    Next,
    // CTL
    Ex,
    Ax,
    Ef,
    Af,
    Eg,
    Ag,
    // LTL, future
    X,
    F,
    G,
    // LTL, past: `Y` (yesterday), `Z` (weak yesterday), `H` (historically), `O` (once)
    Y,
    Z,
    H,
    O,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum BinOp {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Eq,
    Neq,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    /// `<<`
    Lsh,
    /// `>>`
    Rsh,
    /// `<<<`
    Lrot,
    /// `>>>`
    Rrot,
    /// `::`
    Concat,
    Union,
    /// `in`
    In,
    /// `E [ a U b ]`
    Eu,
    /// `A [ a U b ]`
    Au,
    /// `a U b` (LTL); `a V b` is read as `!(!a U !b)`
    U,
    /// `a S b` (past LTL); `a T b` is read as `!(!a S !b)`
    S,
}

/// Temporal operators with an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum BoundedOp {
    /// `EBF lo..hi e`
    Ebf,
    Abf,
    Ebg,
    Abg,
    /// `F [lo,hi] e`
    LtlF,
    LtlG,
    LtlO,
    LtlH,
    /// `E [ a BU lo..hi b ]`: two operands
    Ebu,
    /// `A [ a BU lo..hi b ]`: two operands
    Abu,
}

/// Built-in functions written with parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Func {
    /// `bool(e)`
    Bool,
    /// `word1(e)`
    Word1,
    /// `toint(e)`
    ToInt,
    /// `signed(e)`
    Signed,
    /// `unsigned(e)`
    Unsigned,
    /// `extend(e, n)`
    Extend,
    /// `resize(e, n)`
    Resize,
    /// `swconst(v, n)`
    SwConst,
    /// `uwconst(v, n)`
    UwConst,
    /// `count(e1, ..., en)`
    Count,
    /// `sizeof(e)`
    SizeOf,
    /// `READ(a, i)`
    Read,
    /// `WRITE(a, i, v)`
    Write,
    /// `CONSTARRAY(typeof(a), v)`
    ConstArray,
    /// `typeof(a)`, only inside `CONSTARRAY`
    TypeOf,
}

impl UnOp {
    /// The spelling in SMV text.
    pub fn text(self) -> &'static str {
        match self {
            UnOp::Not => "!",
            UnOp::Neg => "-",
            UnOp::Next => "next",
            UnOp::Ex => "EX",
            UnOp::Ax => "AX",
            UnOp::Ef => "EF",
            UnOp::Af => "AF",
            UnOp::Eg => "EG",
            UnOp::Ag => "AG",
            UnOp::X => "X",
            UnOp::F => "F",
            UnOp::G => "G",
            UnOp::Y => "Y",
            UnOp::Z => "Z",
            UnOp::H => "H",
            UnOp::O => "O",
        }
    }

    /// CTL operator with a path quantifier?
    pub fn is_ctl(self) -> bool {
        use UnOp::*;
        matches!(self, Ex | Ax | Ef | Af | Eg | Ag)
    }

    /// LTL operator, future or past?
    pub fn is_ltl(self) -> bool {
        use UnOp::*;
        matches!(self, X | F | G | Y | Z | H | O)
    }
}

impl BinOp {
    /// The spelling in SMV text (`U` for the untils, whose brackets the printer adds).
    pub fn text(self) -> &'static str {
        use BinOp::*;
        match self {
            And => "&",
            Or => "|",
            Xor => "xor",
            Xnor => "xnor",
            Implies => "->",
            Iff => "<->",
            Eq => "=",
            Neq => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Mod => "mod",
            Lsh => "<<",
            Rsh => ">>",
            Lrot => "<<<",
            Rrot => ">>>",
            Concat => "::",
            Union => "union",
            In => "in",
            Eu | Au | U => "U",
            S => "S",
        }
    }

    /// Boolean connective (which may have temporal operands)?
    pub fn is_connective(self) -> bool {
        use BinOp::*;
        matches!(self, And | Or | Xor | Xnor | Implies | Iff)
    }

    /// CTL until?
    pub fn is_ctl(self) -> bool {
        matches!(self, BinOp::Eu | BinOp::Au)
    }

    /// LTL until or since?
    pub fn is_ltl(self) -> bool {
        matches!(self, BinOp::U | BinOp::S)
    }
}

impl BoundedOp {
    /// The spelling in SMV text.
    pub fn text(self) -> &'static str {
        use BoundedOp::*;
        match self {
            Ebf => "EBF",
            Abf => "ABF",
            Ebg => "EBG",
            Abg => "ABG",
            LtlF => "F",
            LtlG => "G",
            LtlO => "O",
            LtlH => "H",
            Ebu | Abu => "BU",
        }
    }

    /// CTL (true) or LTL (false)?
    pub fn is_ctl(self) -> bool {
        use BoundedOp::*;
        matches!(self, Ebf | Abf | Ebg | Abg | Ebu | Abu)
    }
}

impl Func {
    /// The spelling in SMV text.
    pub fn text(self) -> &'static str {
        use Func::*;
        match self {
            Bool => "bool",
            Word1 => "word1",
            ToInt => "toint",
            Signed => "signed",
            Unsigned => "unsigned",
            Extend => "extend",
            Resize => "resize",
            SwConst => "swconst",
            UwConst => "uwconst",
            Count => "count",
            SizeOf => "sizeof",
            Read => "READ",
            Write => "WRITE",
            ConstArray => "CONSTARRAY",
            TypeOf => "typeof",
        }
    }
}
