//! Variables and constants as diagrams, and comparisons that need no diagram over values.

use super::*;

impl Encoder {
    /// The value of a variable.
    pub fn variable(&mut self, v: VarId, next: bool) -> Result<Encoded> {
        if let Some(known) = self.variables.get(&(v, next)) {
            return Ok(known.clone());
        }
        if !self.layout.is_encoded(v) {
            return Err(EvalError::NoValue(self.model.var(v).name.clone()).into());
        }
        let bits = self.layout.bits(v);
        let bits = if next && !bits.next.is_empty() {
            &bits.next
        } else {
            &bits.current
        }
        .clone();
        let var = self.model.var(v);
        let literals = || {
            bits.iter()
                .map(|&b| self.manager.var(b))
                .collect::<Vec<_>>()
        };
        let value = match &var.ty {
            VarType::Bool => Encoded::Bool(self.manager.var(bits[0])),
            VarType::Word { .. } => Encoded::Word(literals()),
            _ => {
                if var.ty.size().is_none_or(|n| n > 1 << 24) {
                    return Err(EncodeError::TooLarge {
                        name: var.name.clone(),
                    });
                }
                let values = var.ty.values();
                let ids: Vec<u32> = values.into_iter().map(|v| self.values.id(v)).collect();
                Encoded::Scalar(self.choice(&bits, &ids)?)
            }
        };
        self.variables.insert((v, next), value.clone());
        Ok(value)
    }

    /// The diagram that maps the codes over `bits` to the leaves, see [`super::layout`].
    pub(super) fn choice(&self, bits: &[VarIndex], leaves: &[u32]) -> Result<Add> {
        // Halves at bit i are the leaves at positions p, p + 2^i, p + 2^(i+1), ...
        let mut row: Vec<Add> = Vec::with_capacity(leaves.len());
        for &id in leaves {
            row.push(self.manager.leaf(id)?);
        }
        for (i, &bit) in bits.iter().enumerate().rev() {
            let literal = self.manager.var(bit);
            let half = 1usize << i;
            let mut above = Vec::with_capacity(half);
            for low in 0..half.min(row.len()) {
                above.push(match row.get(low + half) {
                    Some(high) => Add::ite(&literal, high, &row[low])?,
                    None => row[low].clone(),
                });
            }
            row = above;
        }
        Ok(row.swap_remove(0))
    }

    /// `x = y` for two variables of the same range or enumeration of `size` values.
    pub(super) fn same_position(&self, x: &[Bdd], y: &[Bdd], size: u64) -> Result<Bdd> {
        // At depth i there are halves of two sizes, floor and ceiling of size / 2^i.
        let one = self.manager.one();
        let mut below: FxHashMap<u64, Bdd> = FxHashMap::default();
        for i in (0..x.len()).rev() {
            let mut here = FxHashMap::default();
            let floor = size >> i;
            for n in [floor, floor + 1] {
                let equal = if n <= 1 {
                    one.clone()
                } else {
                    let odd = below.get(&(n / 2)).unwrap_or(&one);
                    let even = below.get(&n.div_ceil(2)).unwrap_or(&one);
                    x[i].ite(&y[i].and(odd)?, &even.diff(&y[i])?)?
                };
                here.insert(n, equal);
            }
            below = here;
        }
        Ok(below.remove(&size).unwrap_or(one))
    }

    /// The codes of one value of a range or enumeration, by its position among `size` values.
    pub(super) fn at_position(&self, x: &[Bdd], position: u64, size: u64) -> Result<Bdd> {
        let mut literals = Vec::new();
        let (mut p, mut n) = (position, size);
        for literal in x {
            if n <= 1 {
                break;
            }
            let odd = p & 1 == 1;
            literals.push(if odd { literal.clone() } else { literal.not() });
            n = if odd { n / 2 } else { n.div_ceil(2) };
            p >>= 1;
        }
        let mut cube = self.manager.one();
        for literal in literals.iter().rev() {
            cube = literal.and(&cube)?;
        }
        Ok(cube)
    }

    pub(super) fn constant(&mut self, value: &Value) -> Result<Encoded> {
        Ok(match value {
            Value::Bool(b) => Encoded::Bool(self.manager.constant(*b)),
            Value::Word(w) => Encoded::Word(
                (0..u64::from(w.width))
                    .rev()
                    .map(|i| self.manager.constant(w.bits.bit(i)))
                    .collect(),
            ),
            other => Encoded::Scalar(self.manager.leaf(self.values.id(other.clone()))?),
        })
    }

    /// `x = y`, `x = c` and their negations on codes, where the types of both sides have the same
    /// codes: no diagram over values is needed then.
    pub(super) fn bitwise_comparison(
        &mut self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        next: bool,
    ) -> Result<Option<Encoded>> {
        if !matches!(op, BinOp::Eq | BinOp::Neq) {
            return Ok(None);
        }
        let equal = match (self.as_variable(a, next), self.as_variable(b, next)) {
            (Some((v, vn)), Some((w, wn))) => {
                let (x, y) = (self.model.var(v), self.model.var(w));
                if x.ty != y.ty || matches!(x.ty, VarType::Bool | VarType::Word { .. }) {
                    return Ok(None);
                }
                let size = x.ty.size().unwrap_or(0);
                let (x, y) = (self.literals(v, vn), self.literals(w, wn));
                self.same_position(&x, &y, size)?
            }
            (Some((v, vn)), None) | (None, Some((v, vn))) => {
                let other = if self.as_variable(a, next).is_some() {
                    b
                } else {
                    a
                };
                let Node::Const(value) = self.model.pool.node(other) else {
                    return Ok(None);
                };
                let var = self.model.var(v);
                if matches!(var.ty, VarType::Bool | VarType::Word { .. }) {
                    return Ok(None);
                }
                if !matches!(value, Value::Int(_) | Value::Sym(_)) {
                    return Ok(None);
                }
                match layout::position(&var.ty, value) {
                    None => self.manager.zero(),
                    Some(position) => {
                        let size = var.ty.size().unwrap_or(0);
                        self.at_position(&self.literals(v, vn), position, size)?
                    }
                }
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(Encoded::Bool(if op == BinOp::Eq {
            equal
        } else {
            equal.not()
        })))
    }

    pub(super) fn as_variable(&self, e: ExprId, next: bool) -> Option<(VarId, bool)> {
        match *self.model.pool.node(e) {
            Node::Var(v) if self.layout.is_encoded(v) => Some((v, next)),
            Node::Unary(UnOp::Next, a) if !next => self.as_variable(a, true),
            Node::Define(d) => match *self.model.pool.node(self.model.define(d).body) {
                Node::Var(v) if self.layout.is_encoded(v) => Some((v, next)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn literals(&self, v: VarId, next: bool) -> Bits {
        let bits = self.layout.bits(v);
        let bits = if next && !bits.next.is_empty() {
            &bits.next
        } else {
            &bits.current
        };
        bits.iter().map(|&b| self.manager.var(b)).collect()
    }
}
