//! The machine: initial states, invariant, relation, fairness.

use super::cluster::Clustering;
use super::error::{EncodeError, Result};
use super::events::Event;
use super::expr::{Diagram, Encoder};
use super::layout::{Layout, OrderName, width};
use super::moves::Moves;
use super::order::{self, OrderType, StaticOrder};
use super::product::ExtraBit;
use super::trans::TransRel;
use super::wide::wide;
use crate::base::CancelToken;
use crate::dd::{self, Bdd, DdResult, Manager, Method, SwapMap, VarIndex};
use crate::model::dependencies::coi::{self, VarSet};
use crate::model::{AssignKind, Constraint, ExprId, FlatModel, Type, VarId, VarKind, VarType};
use num_bigint::BigUint;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Nodes that the parts of a constraint may take for each expression of the model.
const PARTS: usize = 100;

/// What the user may choose about the encoding.
#[derive(Clone, Debug, Default)]
pub struct FsmConfig {
    /// Sizes and limits.
    pub dd: dd::Config,
    /// How conjuncts of the relation join.
    pub clustering: Clustering,
    /// CUDD's own parameters: name, value.
    pub parameters: Vec<(String, String)>,
    /// Variables that get fresh bits, for queries.
    pub fresh: Vec<VarId>,
    /// Variables or bits that come first in the order.
    pub order: Option<Vec<OrderName>>,
    /// Where no file tells the order.
    pub static_order: StaticOrder,
    /// Where inputs stand in it.
    pub order_type: OrderType,
    /// Reorder automatically.
    pub dynamic: Option<Method>,
    /// The same, from so many live nodes on.
    pub reorder_from: Option<usize>,
    /// Take a better order than the default one after so many lookups in the computed table.
    pub rearrange_after: Option<u64>,
    /// Lookups are counted from the moment at which the machine is built, so that its order is NuSMV's then.
    pub built_in_first_order: bool,
}

/// A fairness condition: a set of states, or of states and inputs.
#[derive(Clone, Debug)]
pub struct Justice {
    /// Over current bits, and inputs where `reads_inputs`.
    pub set: Bdd,
    /// Then it is a set of steps.
    pub reads_inputs: bool,
}

/// A symbolic machine. Sets of states are over the current bits of state and frozen variables,
/// satisfy the invariant, and hold all codes of a state or none.
pub struct BddFsm {
    /// What it was made of; of a machine of a cone the whole model.
    pub model: Rc<FlatModel>,
    /// All diagrams of the machine are in this one.
    pub manager: Manager,
    /// Which bits are whose.
    pub layout: Rc<Layout>,
    pub(super) encoder: Rc<RefCell<Encoder>>,
    /// Initial states.
    pub init: Bdd,
    /// What INIT and `init(x) := e` allow, whatever the invariant says: what `-a` shows.
    pub declared_init: Bdd,
    /// INIT and `init(x) := e` alone allow no state: NuSMV warns of this, not of an `init` that
    /// only INVAR makes empty.
    pub init_contradictory: bool,
    /// INVAR and `x := e`.
    pub invar: Bdd,
    /// TRANS and `next(x) := e`, over current, input and next bits; images and preimages add the invariant.
    pub trans: TransRel,
    /// FAIRNESS and JUSTICE, in the order of the model.
    pub justice: Vec<Justice>,
    /// COMPASSION: if infinitely often the first, then infinitely often the second.
    pub compassion: Vec<(Justice, Justice)>,
    /// All state and frozen bits.
    pub state_bits: Vec<VarIndex>,
    /// Conditions that leave one code of each state. Their conjunction may be large, and is taken with
    /// a set of states only.
    pub(super) canonical: Rc<[Bdd]>,
    pub(super) swap: SwapMap,
    /// Each state has a successor, as can be seen from the form of the model.
    pub surely_total: bool,
    /// Bits for observers, shared by all of them.
    pub(super) extra: Rc<RefCell<Vec<ExtraBit>>>,
    /// What the machine was made of, for machines of parts of the model.
    pub(super) parts: Rc<Conjuncts>,
    /// The relation as events, once somebody asked.
    pub(super) events: OnceCell<Option<Vec<Event>>>,
    /// Single moves, once somebody asked.
    pub(super) moves: OnceCell<Option<Moves>>,
}

/// A conjunct of the machine.
#[derive(Clone)]
pub(super) struct Conjunct {
    /// As written, before it meets others.
    pub set: Bdd,
    /// From an assignment: the variable gets some value, whatever the others do.
    pub assigned: bool,
}

/// The conjuncts of a machine before they are clustered.
pub(super) struct Conjuncts {
    /// Over current bits.
    pub init: Vec<Conjunct>,
    /// Over current bits.
    pub invar: Vec<Conjunct>,
    /// Over current, input and next bits.
    pub trans: Vec<Conjunct>,
    /// How to join them.
    pub clustering: Clustering,
}

impl FsmConfig {
    fn manager(&self, token: CancelToken) -> Result<Manager> {
        let manager = Manager::new(&self.dd, token)?;
        for (name, value) in &self.parameters {
            // Whoever gave them has been told of those that do not fit.
            let _ = manager.set_parameter(name, value);
        }
        if let Some(method) = self.dynamic {
            manager.enable_dynamic(method);
        } else if let Some(nodes) = self.reorder_from {
            manager.reorder_from(nodes);
        }
        Ok(manager)
    }
}

/// For each variable of the state the condition on its current bits that leaves one code of each value,
/// where there is one.
fn canonical(model: &FlatModel, layout: &Layout, manager: &Manager) -> Result<Rc<[Bdd]>> {
    let mut all = Vec::new();
    for &v in layout.encoded() {
        let var = model.var(v);
        if var.kind != VarKind::Input {
            let one = layout.canonical(manager, var, &layout.bits(v).current)?;
            if !one.is_one() {
                all.push(one);
            }
        }
    }
    Ok(all.into())
}

pub(super) fn sets(conjuncts: &[Conjunct]) -> Vec<Bdd> {
    conjuncts.iter().map(|c| c.set.clone()).collect()
}

impl BddFsm {
    /// Encodes the model, or the part of it in `cone`.
    pub fn build(
        model: &Rc<FlatModel>,
        config: &FsmConfig,
        cone: Option<VarSet>,
        token: CancelToken,
    ) -> Result<BddFsm> {
        let manager = config.manager(token)?;
        let included = |v: VarId| cone.as_ref().is_none_or(|c| c.contains(v));
        let layout = Rc::new(Layout::new(model, &manager, config, &included)?);
        let plan = |manager: &Manager| {
            if let Some(lookups) = config.rearrange_after {
                let (model, layout) = (Rc::clone(model), Rc::clone(&layout));
                manager.plan_order(lookups, move |m| order::rearranged(&model, &layout, m));
            }
        };
        if !config.built_in_first_order {
            plan(&manager);
        }
        let state_bits = layout.all_state_bits();
        let swap = layout.swap_map(&manager);
        let mut encoder = Encoder::new(Rc::clone(model), manager.clone(), Rc::clone(&layout));
        let canonical = canonical(model, &layout, &manager)?;
        let mut parts = Parts {
            model,
            encoder: &mut encoder,
            cone: cone.as_ref(),
        };
        // In this order, which decides what NuSMV names first when several have no value.
        let trans = parts.conjuncts(AssignKind::Next, &model.trans)?;
        let init = parts.conjuncts(AssignKind::Init, &model.init)?;
        let invar = parts.conjuncts(AssignKind::Current, &model.invar)?;
        let parts = Conjuncts {
            init,
            invar,
            trans,
            clustering: config.clustering,
        };
        let assigned = parts.trans.iter().all(|c| c.assigned);
        let surely_total = model.trans.is_empty() && parts.invar.is_empty() && assigned;
        let invar = conjunction(&manager, sets(&parts.invar))?;
        let init = conjunction(&manager, sets(&parts.init))?;
        let init_contradictory = init.is_zero();
        let declared_init = init;
        let init = declared_init.and(&invar)?;
        let mut condition = |c: &Constraint| -> Result<Justice> {
            let set = encoder.boolean(c.expr)?;
            let reads_inputs = layout.reads_inputs(&set);
            Ok(Justice { set, reads_inputs })
        };
        let justice: Result<Vec<_>> = model.justice.iter().map(&mut condition).collect();
        let justice = justice?;
        let pairs = model.compassion.iter();
        let compassion: Result<Vec<_>> = pairs
            .map(|(p, q)| Ok((condition(p)?, condition(q)?)))
            .collect();
        let compassion = compassion?;
        let trans = TransRel::new(
            &manager,
            sets(&parts.trans),
            &config.clustering,
            &layout.forward_bits(),
            &layout.backward_bits(),
        )?;
        log::debug!(
            "machine: {} variables, {} clusters, {} live nodes",
            layout.encoded().len(),
            trans.clusters().len(),
            manager.live_nodes()
        );
        if config.built_in_first_order {
            plan(&manager);
        }
        Ok(BddFsm {
            model: Rc::clone(model),
            manager,
            init,
            declared_init,
            init_contradictory,
            invar,
            trans,
            justice,
            compassion,
            state_bits,
            canonical,
            swap,
            surely_total,
            extra: Rc::default(),
            parts: Rc::new(parts),
            events: OnceCell::new(),
            moves: OnceCell::new(),
            encoder: Rc::new(RefCell::new(encoder)),
            layout,
        })
    }

    /// Goes over to a model that says the same but holds more expressions, under new numbers.
    pub fn extend(&mut self, model: Rc<FlatModel>) {
        self.encoder.borrow_mut().model = Rc::clone(&model);
        self.model = model;
    }

    /// A Boolean expression without temporal operators as a set of states (and inputs, and next
    /// states, as far as it reads them).
    pub fn boolean(&self, e: ExprId) -> Result<Bdd> {
        self.encoder.borrow_mut().boolean(e)
    }

    /// The diagrams of any expression without temporal operators.
    pub fn diagram(&self, e: ExprId) -> Result<Diagram> {
        self.encoder.borrow_mut().diagram(e)
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

    /// States that satisfy the invariant and have a step of `steps` (over current, input and next bits)
    /// into `states`.
    pub fn preimage_under(&self, steps: &Bdd, states: &Bdd) -> DdResult<Bdd> {
        let to = states.swap(&self.swap)?.and(steps)?;
        self.trans.preimage(&to)?.and(&self.invar)
    }

    /// The relation for preimages that count within a set of states only.
    pub fn backward_within(&self, care: &Bdd) -> DdResult<TransRel> {
        self.trans.within(care, &self.layout.backward_bits())
    }

    /// The set of states with one code for each.
    pub fn one_code(&self, set: &Bdd) -> DdResult<Bdd> {
        let mut codes = set.clone();
        for condition in self.canonical.iter() {
            codes = codes.and(condition)?;
        }
        Ok(codes)
    }

    /// Current bits ↔ next bits.
    pub fn swap(&self) -> &SwapMap {
        &self.swap
    }

    /// Number of states in a set.
    pub fn count(&self, states: &Bdd) -> DdResult<BigUint> {
        let codes = self.one_code(states)?;
        Ok(codes.count_big(&self.state_bits).unwrap_or_default())
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

    /// Number of codes in a set over the state bits of the whole model, those outside the cone of
    /// influence included. Unlike [`Self::count`] it tells codes of the same state apart.
    pub fn count_codes(&self, states: &Bdd) -> BigUint {
        let all: u64 = self
            .model
            .vars
            .iter()
            .filter(|v| v.kind != VarKind::Input)
            .map(|v| u64::from(width(&v.ty)))
            .sum();
        let within = states.count_big(&self.state_bits).unwrap_or_default();
        within << (all - self.state_bits.len() as u64)
    }
}

/// Encodes the constraints of one kind after another.
struct Parts<'e> {
    model: &'e FlatModel,
    encoder: &'e mut Encoder,
    cone: Option<&'e VarSet>,
}

impl Parts<'_> {
    /// Assignments of a kind and constraints, as far as they belong to the cone.
    fn conjuncts(
        &mut self,
        kind: AssignKind,
        constraints: &[crate::model::Constraint],
    ) -> Result<Vec<Conjunct>> {
        let mut out = Vec::new();
        let conjunct = |set, assigned| Conjunct { set, assigned };
        for a in self.model.assigns.iter().filter(|a| a.kind == kind) {
            if self.cone.is_none_or(|c| c.contains(a.var)) {
                // Under `-old` a number may be assigned to a Boolean, which then has no value.
                let fits = self.model.var(a.var).ty != VarType::Bool
                    || matches!(self.model.type_of(a.rhs), Type::Bool | Type::BoolSet);
                out.push(conjunct(self.encoder.assignment(a)?, fits));
            }
        }
        for c in constraints {
            let parts = match self.cone {
                Some(cone) => coi::conjuncts_within(self.model, c.expr, cone),
                None => coi::conjuncts(self.model, c.expr),
            };
            for e in parts {
                // The parts of a long constraint are many nodes, but soon gone: no reason to reorder
                // without being asked.
                let manager = self.encoder.manager.clone();
                let expected = PARTS * self.model.pool.len();
                let whole = manager.patiently(expected, || wide(self.model, self.encoder, e));
                let set = match whole {
                    Ok(set) => set,
                    Err(error @ (EncodeError::Dd(_) | EncodeError::Mixed { .. })) => {
                        return Err(error);
                    }
                    Err(_) => match self.encoder.boolean(e) {
                        // Another conjunct may mask the failure; the whole constraint tells.
                        Err(EncodeError::Fail { .. }) => self.encoder.boolean(c.expr)?,
                        other => other?,
                    },
                };
                out.push(conjunct(set, false));
            }
        }
        out.retain(|c| !c.set.is_one());
        Ok(out)
    }
}

/// The conjunction of diagrams, small ones first.
pub(super) fn conjunction(manager: &Manager, mut all: Vec<Bdd>) -> DdResult<Bdd> {
    all.sort_by_key(Bdd::size);
    let mut result = manager.one();
    for d in all {
        result = result.and(&d)?;
    }
    Ok(result)
}
