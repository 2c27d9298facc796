//! The machine: initial states, invariant, relation, fairness.

use super::error::{EncodeError, Result};
use super::expr::Encoder;
use super::layout::{Layout, OrderName};
use super::trans::{Partition, TransRel};
use crate::base::CancelToken;
use crate::dd::{self, Bdd, DdResult, Manager, Method, SwapMap, VarIndex};
use crate::model::dependencies::coi::VarSet;
use crate::model::{AssignKind, ExprId, FlatModel, Node, Value, VarId, VarKind};
use num_bigint::BigUint;
use smv_grammar::ops::BinOp;
use std::cell::RefCell;
use std::rc::Rc;

/// What the user may choose about the encoding.
#[derive(Clone, Debug)]
pub struct FsmConfig {
    pub dd: dd::Config,
    pub partition: Partition,
    /// Variables or bits that come first in the order.
    pub order: Vec<OrderName>,
    /// Reorder automatically.
    pub dynamic: Option<Method>,
}

impl Default for FsmConfig {
    fn default() -> Self {
        FsmConfig {
            dd: dd::Config::default(),
            partition: Partition::Iwls95(1000),
            order: Vec::new(),
            dynamic: None,
        }
    }
}

/// A justice condition: a set of states, or of states and inputs.
#[derive(Clone, Debug)]
pub struct Justice {
    pub set: Bdd,
    pub reads_inputs: bool,
}

/// A symbolic machine. Sets of states are over the current bits of state and frozen variables, and
/// hold only codes of values that satisfy the invariant.
pub struct BddFsm<'m> {
    pub model: &'m FlatModel,
    pub manager: Manager,
    pub layout: Rc<Layout>,
    encoder: RefCell<Encoder<'m>>,
    /// Initial states.
    pub init: Bdd,
    /// INIT and `init(x) := e` alone allow no state: NuSMV warns of this, not of an `init` that
    /// only INVAR makes empty.
    pub init_contradictory: bool,
    /// INVAR, `x := e` and valid codes.
    pub invar: Bdd,
    pub trans: TransRel,
    pub justice: Vec<Justice>,
    /// All state and frozen bits.
    pub state_bits: Vec<VarIndex>,
    swap: SwapMap,
    /// Each state has a successor, as can be seen from the form of the model.
    pub surely_total: bool,
    /// All variables, or those of a cone of influence.
    cone: Option<VarSet>,
}

impl<'m> BddFsm<'m> {
    /// Encodes the model, or the part of it in `cone`.
    pub fn build(
        model: &'m FlatModel,
        config: &FsmConfig,
        cone: Option<VarSet>,
        token: CancelToken,
    ) -> Result<BddFsm<'m>> {
        let manager = Manager::new(&config.dd, token)?;
        if let Some(method) = config.dynamic {
            manager.enable_dynamic(method);
        }
        let included = |v: VarId| cone.as_ref().is_none_or(|c| c.contains(v));
        let layout = Rc::new(Layout::new(model, &manager, &config.order, &included)?);
        let state_bits = layout.all_state_bits();
        let pairs: Vec<_> = layout
            .state_bits
            .iter()
            .copied()
            .zip(layout.next_bits.iter().copied())
            .collect();
        let swap = manager.swap_map(&pairs);
        let mut encoder = Encoder::new(model, manager.clone(), Rc::clone(&layout));

        let mut invar = Vec::new();
        let mut inputs_valid = Vec::new();
        for &v in layout.encoded() {
            let bits = layout.bits(v).current.clone();
            let valid = layout.valid(&manager, model.var(v), &bits)?;
            match model.var(v).kind {
                VarKind::Input => inputs_valid.push(valid),
                _ => invar.push(valid),
            }
        }
        let valid_codes = invar.len();
        let mut surely_total = true;
        let (mut init, mut conjuncts) = (Vec::new(), Vec::new());
        for a in model.assigns.iter().filter(|a| included(a.var)) {
            let constraint = encoder.assignment(a)?;
            match a.kind {
                AssignKind::Current => invar.push(constraint),
                AssignKind::Init => init.push(constraint),
                AssignKind::Next => conjuncts.push(constraint),
            }
        }
        let mut encode_all = |list: &[crate::model::Constraint]| -> Result<Vec<Bdd>> {
            let mut out = Vec::new();
            for c in list {
                for e in conjuncts_of(model, c.expr) {
                    if !cone.as_ref().is_none_or(|cone| reads_only(model, e, cone)) {
                        continue;
                    }
                    match encoder.boolean(e) {
                        // Another conjunct may mask the failure; the whole constraint tells.
                        Err(EncodeError::Fail { .. }) => out.push(encoder.boolean(c.expr)?),
                        other => out.push(other?),
                    }
                }
            }
            Ok(out)
        };
        init.extend(encode_all(&model.init)?);
        let more_invar = encode_all(&model.invar)?;
        let more_trans = encode_all(&model.trans)?;
        surely_total &= more_invar.is_empty() && more_trans.is_empty();
        surely_total &= !model.assigns.iter().any(|a| a.kind == AssignKind::Current);
        invar.extend(more_invar);
        conjuncts.extend(more_trans);
        conjuncts.extend(inputs_valid);
        let valid = conjunction(&manager, invar[..valid_codes].to_vec())?;
        let invar = conjunction(&manager, invar)?;
        let init = conjunction(&manager, init)?.and(&valid)?;
        let init_contradictory = init.is_zero();
        let init = init.and(&invar)?;
        let mut justice = Vec::new();
        for c in &model.justice {
            let set = encoder.boolean(c.expr)?;
            let reads_inputs = set.support().iter().any(|v| layout.input_bits.contains(v));
            justice.push(Justice { set, reads_inputs });
        }
        let join = |a: &[VarIndex], b: &[VarIndex]| [a, b].concat();
        let trans = TransRel::new(
            &manager,
            conjuncts.into_iter().filter(|c| !c.is_one()).collect(),
            config.partition,
            &join(&layout.state_bits, &layout.input_bits),
            &join(&layout.next_bits, &layout.input_bits),
        )?;
        Ok(BddFsm {
            model,
            manager,
            init,
            init_contradictory,
            invar,
            trans,
            justice,
            state_bits,
            swap,
            surely_total,
            cone,
            encoder: RefCell::new(encoder),
            layout,
        })
    }

    /// A Boolean expression without temporal operators as a set of states (and inputs, and next
    /// states, as far as it reads them).
    pub fn boolean(&self, e: ExprId) -> Result<Bdd> {
        self.encoder.borrow_mut().boolean(e)
    }

    /// Successors of a set of states.
    pub fn image(&self, states: &Bdd) -> DdResult<Bdd> {
        self.trans.image(states)?.swap(&self.swap)?.and(&self.invar)
    }

    /// States that satisfy the invariant and have a successor in `states` (which must satisfy it).
    pub fn preimage(&self, states: &Bdd) -> DdResult<Bdd> {
        self.trans
            .preimage(&states.swap(&self.swap)?)?
            .and(&self.invar)
    }

    /// Successors of a state under the steps of `steps` (over current, input and next bits).
    pub fn image_under(&self, steps: &Bdd, state: &Bdd) -> DdResult<Bdd> {
        let from = state.and(steps)?;
        self.trans.image(&from)?.swap(&self.swap)?.and(&self.invar)
    }

    /// The codes of inputs that stand for values.
    pub fn valid_inputs(&self) -> DdResult<Bdd> {
        let mut result = self.manager.one();
        for v in self
            .model
            .vars_of(VarKind::Input)
            .filter(|&v| self.layout.is_encoded(v))
        {
            let bits = &self.layout.bits(v).current;
            result = result.and(&self.layout.valid(&self.manager, self.model.var(v), bits)?)?;
        }
        Ok(result)
    }

    /// The relation for preimages that count within a set of states only.
    pub fn backward_within(&self, care: &Bdd) -> DdResult<TransRel> {
        let bits = [
            self.layout.next_bits.as_slice(),
            self.layout.input_bits.as_slice(),
        ]
        .concat();
        self.trans.within(care, &bits)
    }

    /// Current bits ↔ next bits.
    pub fn swap(&self) -> &SwapMap {
        &self.swap
    }

    /// Number of states in a set.
    pub fn count(&self, states: &Bdd) -> BigUint {
        states.count_big(&self.state_bits).expect("a set of states")
    }

    /// Number of states that the variables can be in, whatever the constraints.
    pub fn state_space(&self) -> BigUint {
        let mut all = BigUint::from(1u32);
        for &v in self.layout.encoded() {
            let var = self.model.var(v);
            if var.kind != VarKind::Input {
                all *= match &var.ty {
                    crate::model::VarType::Word { width, .. } => BigUint::from(1u32) << *width,
                    ty => BigUint::from(ty.size().unwrap_or(1)),
                };
            }
        }
        all
    }

    /// Whether a variable is part of this machine.
    pub fn includes(&self, v: VarId) -> bool {
        self.cone.as_ref().is_none_or(|c| c.contains(v))
    }

    /// One state of a set: the first in the order of variables and values.
    pub fn pick_state(&self, states: &Bdd) -> DdResult<Option<Bdd>> {
        self.pick(states, &self.state_bits)
    }

    /// One assignment to `bits` out of a set over them, as a cube.
    fn pick(&self, set: &Bdd, bits: &[VarIndex]) -> DdResult<Option<Bdd>> {
        let Some(code) = set.pick_minterm(bits)? else {
            return Ok(None);
        };
        let mut literals: Vec<(u32, VarIndex, bool)> = bits
            .iter()
            .zip(code)
            .map(|(&b, on)| (self.manager.level_of(b), b, on))
            .collect();
        literals.sort();
        let mut cube = self.manager.one();
        for (_, bit, on) in literals.into_iter().rev() {
            let literal = self.manager.var(bit);
            cube = if on { literal } else { literal.not() }.and(&cube)?;
        }
        Ok(Some(cube))
    }

    /// The values of state and frozen variables in a single state.
    pub fn state_values(&self, state: &Bdd) -> Vec<Option<Value>> {
        self.values(state, |kind| kind != VarKind::Input)
    }

    /// The values of inputs under which `from` steps to `to` within `steps` (a set of states and
    /// inputs, or true).
    pub fn input_values(&self, from: &Bdd, to: &Bdd, steps: &Bdd) -> DdResult<Vec<Option<Value>>> {
        let layout = &self.layout;
        if layout.input_bits.is_empty() {
            return Ok(vec![None; self.model.vars.len()]);
        }
        let to = to.swap(&self.swap)?;
        let both = from.and(&to)?;
        let inputs = self.trans.restricted(&both)?.and(&steps.cofactor(from)?)?;
        let input = self.pick(&inputs, &layout.input_bits)?.unwrap_or(inputs);
        Ok(self.values(&input, |kind| kind == VarKind::Input))
    }

    fn values(&self, cube: &Bdd, of: impl Fn(VarKind) -> bool) -> Vec<Option<Value>> {
        let mut literals = std::collections::HashMap::new();
        let mut rest = cube.clone();
        while let Some(top) = rest.top() {
            let (high, low) = (rest.high(), rest.low());
            let on = low.is_zero();
            literals.insert(top, on);
            rest = if on { high } else { low };
        }
        let mut values = vec![None; self.model.vars.len()];
        for &v in self.layout.encoded() {
            let var = self.model.var(v);
            if of(var.kind) {
                let code: Vec<bool> = self
                    .layout
                    .bits(v)
                    .current
                    .iter()
                    .map(|b| literals.get(b).copied().unwrap_or(false))
                    .collect();
                values[v.0 as usize] = Some(Layout::decode(var, &code));
            }
        }
        values
    }
}

/// The conjunction of diagrams, small ones first.
fn conjunction(manager: &Manager, mut all: Vec<Bdd>) -> DdResult<Bdd> {
    all.sort_by_key(Bdd::size);
    let mut result = manager.one();
    for d in all {
        result = result.and(&d)?;
    }
    Ok(result)
}

/// The conjuncts of a constraint, so that each can go to its own cluster.
fn conjuncts_of(model: &FlatModel, e: ExprId) -> Vec<ExprId> {
    let mut out = Vec::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        match *model.pool.node(e) {
            Node::Binary(BinOp::And, a, b)
                if model.type_of(a) == crate::model::Type::Bool
                    && model.type_of(b) == crate::model::Type::Bool =>
            {
                todo.push(b);
                todo.push(a);
            }
            _ => out.push(e),
        }
    }
    out
}

/// Whether an expression reads variables of the cone only.
fn reads_only(model: &FlatModel, e: ExprId, cone: &VarSet) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match model.pool.node(e) {
            Node::Var(v) if !cone.contains(*v) => return false,
            Node::Define(d) => todo.push(model.define(*d).body),
            node => node.for_each_operand(|o| todo.push(o)),
        }
    }
    true
}
