//! The order in which bits come when the user gives none, or gives some.
//!
//! NuSMV's own, which traces and running times of its users depend on (found by experiments with
//! NuSMV 2.6.0; its manual, `bdd_static_order_heuristics` and `vars_order_type`, tells the idea):
//!
//! * `basic`: variables that meet in an arithmetic expression, a comparison or an assignment form a
//!   group. A group stands where its first variable does; the bits of its variables interleave,
//!   bits of equal weight side by side, the highest on top.
//! * `none`, and also when the user gives an order file: Booleans first, then the bits of all other
//!   variables interleaved. The entries of the file are merged in, each before what would follow it.
//!
//! Booleans never join a group: relations between them are as wide one way as the other.
//!
//! Where neither the user nor what is printed depends on the order, [`rearranged`] finds a better one for
//! when the work gets serious.

use super::groups::Groups;
use super::layout::{Layout, OrderName, width};
use super::{force, hypergraph};
use crate::dd::{Manager, VarIndex};
use crate::model::{FlatModel, VarId, VarKind, VarType};
use rustc_hash::FxHashMap;

/// How variables are arranged where no order file tells (`-bdd_soh`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StaticOrder {
    /// All bits interleaved.
    None,
    /// Groups of interacting variables.
    #[default]
    Basic,
}

/// Where inputs stand, and whether bits interleave (`vars_order_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderType {
    /// Their place.
    pub inputs: Inputs,
    /// Bits of equal weight stand side by side; else each variable by itself.
    pub interleave: bool,
}

/// The place of input variables among the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inputs {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// Among the others.
    AsDeclared,
}

impl Default for OrderType {
    fn default() -> Self {
        OrderType {
            inputs: Inputs::First,
            interleave: true,
        }
    }
}

/// All bits of `vars` (given in declaration order), from the top.
pub fn bits(
    model: &FlatModel,
    vars: &[VarId],
    file: Option<&[OrderName]>,
    kind: StaticOrder,
    order_type: OrderType,
) -> Vec<OrderName> {
    let sorted = arrange(model, vars, order_type.inputs);
    match file {
        Some(entries) => merge(entries, interleaved(model, &sorted, order_type.interleave)),
        None if kind == StaticOrder::None => interleaved(model, &sorted, order_type.interleave),
        None => {
            let mut groups = Groups::new(model);
            groups.collect();
            groups.bits(&sorted, order_type.interleave)
        }
    }
}

/// All variables of the manager in an order that keeps what the model ties together close, top first. Groups
/// of interacting variables stay together. `None` if the order of the layout is about as good.
pub(super) fn rearranged(
    model: &FlatModel,
    layout: &Layout,
    manager: &Manager,
) -> Option<Vec<VarIndex>> {
    let mut groups = Groups::new(model);
    groups.collect();
    let blocks = groups.blocks(&arrange(model, layout.encoded(), Inputs::First));
    let bits: Vec<usize> = blocks
        .iter()
        .map(|vars| vars.iter().map(|&v| width(&model.var(v).ty) as usize).sum())
        .collect();
    let found = force::arrange(&bits, hypergraph::edges(model, &blocks)?)?;
    // What belongs to no variable of the model stays at the bottom.
    let mut place = vec![u32::MAX; manager.num_vars() as usize];
    for (at, &block) in (0..).zip(&found) {
        for &v in &blocks[block as usize] {
            let bits = layout.bits(v);
            for &bit in [&bits.current, &bits.next, &bits.fresh]
                .into_iter()
                .flatten()
            {
                place[bit as usize] = at;
            }
        }
    }
    log::debug!("order: {} blocks of variables rearranged", blocks.len());
    let mut order = manager.order();
    order.sort_by_key(|&v| place[v as usize]);
    Some(order)
}

fn arrange(model: &FlatModel, vars: &[VarId], inputs: Inputs) -> Vec<VarId> {
    let rank = |v: &VarId| match (model.var(*v).kind, inputs) {
        (VarKind::Input, Inputs::First) => 0,
        (VarKind::Input, Inputs::Last) => 2,
        (_, _) => 1,
    };
    let mut sorted = vars.to_vec();
    sorted.sort_by_key(rank);
    sorted
}

/// Booleans, then bits of equal weight side by side; or whole variables one after the other.
fn interleaved(model: &FlatModel, vars: &[VarId], interleave: bool) -> Vec<OrderName> {
    if !interleave {
        return vars.iter().flat_map(|&v| all_bits(model, v)).collect();
    }
    let boolean = |v: &VarId| model.var(*v).ty == VarType::Bool;
    let (booleans, others): (Vec<VarId>, Vec<VarId>) = vars.iter().partition(|v| boolean(v));
    let mut bits: Vec<OrderName> = booleans.iter().map(|&v| OrderName::Bit(v, 0)).collect();
    weave(model, &others, &mut bits);
    bits
}

pub(super) fn all_bits(model: &FlatModel, v: VarId) -> impl Iterator<Item = OrderName> + use<> {
    (0..width(&model.var(v).ty))
        .rev()
        .map(move |b| OrderName::Bit(v, b))
}

pub(super) fn weave(model: &FlatModel, vars: &[VarId], bits: &mut Vec<OrderName>) {
    let widths: Vec<u32> = vars.iter().map(|&v| width(&model.var(v).ty)).collect();
    for weight in (0..widths.iter().copied().max().unwrap_or(0)).rev() {
        let wide = vars.iter().zip(&widths).filter(|&(_, &w)| w > weight);
        bits.extend(wide.map(|(&v, _)| OrderName::Bit(v, weight)));
    }
}

/// Merges the order of a file into `rest`: when a bit of the file is due in `rest`, all entries of
/// the file up to it go first.
fn merge(entries: &[OrderName], rest: Vec<OrderName>) -> Vec<OrderName> {
    let mut owners: FxHashMap<OrderName, usize> = FxHashMap::default();
    for (i, &entry) in entries.iter().enumerate() {
        owners.entry(entry).or_insert(i);
    }
    let mut merged = Vec::with_capacity(rest.len() + entries.len());
    let mut taken = 0;
    for name in rest {
        let OrderName::Bit(v, _) = name else { continue };
        let whole = owners.get(&OrderName::Var(v));
        match owners.get(&name).or(whole) {
            Some(&at) if at >= taken => {
                merged.extend(&entries[taken..=at]);
                taken = at + 1;
            }
            Some(_) => {}
            None => merged.push(name),
        }
    }
    merged.extend(&entries[taken..]);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    fn names(
        model: &FlatModel,
        file: Option<&[OrderName]>,
        kind: StaticOrder,
        order_type: OrderType,
    ) -> String {
        let vars: Vec<VarId> = (0..model.vars.len() as u32).map(VarId).collect();
        let mut text = Vec::new();
        for name in bits(model, &vars, file, kind, order_type) {
            let (v, bits) = match name {
                OrderName::Var(v) => (v, (0..width(&model.var(v).ty)).rev().collect()),
                OrderName::Bit(v, bit) => (v, vec![bit]),
            };
            for bit in bits {
                text.push(match model.var(v).ty {
                    VarType::Bool => model.var(v).name.clone(),
                    _ => format!("{}.{bit}", model.var(v).name),
                });
            }
        }
        text.join(" ")
    }

    const VARS: &str = "VAR a : unsigned word[2]; m1 : boolean; b : unsigned word[3]; \
        m2 : {p, q, s}; c : unsigned word[2]; d : 0..3; e : 0..3; m3 : boolean; f : 0..3; ";

    /// What `write_order -b` of NuSMV 2.6.0 says.
    #[test]
    fn variables_that_meet_form_groups() {
        let cases = [
            (
                "INIT a[0:0] = c[0:0]",
                "a.1 c.1 a.0 c.0 m1 b.2 b.1 b.0 m2.1 m2.0 d.1 d.0 e.1 e.0 m3 f.1 f.0",
            ),
            (
                "TRANS next(a) = c & d = f",
                "a.1 c.1 a.0 c.0 m1 b.2 b.1 b.0 m2.1 m2.0 d.1 f.1 d.0 f.0 e.1 e.0 m3",
            ),
            (
                "ASSIGN next(a) := m1 ? c : 0ud2_1;",
                "a.1 c.1 a.0 c.0 m1 b.2 b.1 b.0 m2.1 m2.0 d.1 d.0 e.1 e.0 m3 f.1 f.0",
            ),
            (
                "INIT d + e = f",
                "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 e.1 f.1 d.0 e.0 f.0 m3",
            ),
            (
                "INIT d in {e, f}",
                "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 e.1 f.1 d.0 e.0 f.0 m3",
            ),
            (
                "DEFINE k := a + c; INIT k = 0ud2_1",
                "a.1 c.1 a.0 c.0 m1 b.2 b.1 b.0 m2.1 m2.0 d.1 d.0 e.1 e.0 m3 f.1 f.0",
            ),
            (
                "INIT extend(a,1) = b",
                "b.2 a.1 b.1 a.0 b.0 m1 m2.1 m2.0 c.1 c.0 d.1 d.0 e.1 e.0 m3 f.1 f.0",
            ),
            (
                "ASSIGN next(m1) := d = e;",
                "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 e.1 d.0 e.0 m3 f.1 f.0",
            ),
            (
                "INIT (m1 ? d : e) = f",
                "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 e.1 f.1 d.0 e.0 f.0 m3",
            ),
            (
                "INIT (m1 ? d : 1) = (m3 ? e : 2)",
                "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 e.1 d.0 e.0 m3 f.1 f.0",
            ),
            (
                "FAIRNESS a = c",
                "a.1 c.1 a.0 c.0 m1 b.2 b.1 b.0 m2.1 m2.0 d.1 d.0 e.1 e.0 m3 f.1 f.0",
            ),
            (
                "INIT max(d, e) = f",
                "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 e.1 f.1 d.0 e.0 f.0 m3",
            ),
        ];
        for (section, expected) in cases {
            let model = flat(&format!("{VARS}{section}"));
            let found = names(&model, None, StaticOrder::Basic, OrderType::default());
            assert_eq!(found, expected, "{section}");
        }
    }

    #[test]
    fn variables_that_do_not_meet_stay_apart() {
        let plain = "a.1 a.0 m1 b.2 b.1 b.0 m2.1 m2.0 c.1 c.0 d.1 d.0 e.1 e.0 m3 f.1 f.0";
        let cases = [
            "",
            "ASSIGN next(a) := c = 0ud2_1 ? a : 0ud2_1;",
            "INIT a = 0ud2_1 | c = 0ud2_1",
            "DEFINE k := a + c;",
            "INIT d = 1 & e = 2",
            "INIT (m1 ? d : e) = 2",
            "INIT toint(a) = d",
            "INIT m1 = m3",
            "INVARSPEC a = c",
        ];
        for section in cases {
            let model = flat(&format!("{VARS}{section}"));
            let found = names(&model, None, StaticOrder::Basic, OrderType::default());
            assert_eq!(found, plain, "{section}");
        }
    }

    const MIXED: &str = "IVAR i : 0..3; VAR e : 0..3; m1 : boolean; d : 0..7; m2 : boolean; \
        FROZENVAR z : 0..3; TRANS i = d";

    #[test]
    fn a_file_is_merged_into_the_interleaved_order() {
        let model = flat(MIXED);
        let id = |name: &str| VarId(model.vars.iter().position(|v| v.name == name).unwrap() as u32);
        let cases = [
            (vec![], "m1 m2 d.2 i.1 e.1 d.1 z.1 i.0 e.0 d.0 z.0"),
            (
                vec![OrderName::Var(id("z"))],
                "m1 m2 d.2 i.1 e.1 d.1 z.1 z.0 i.0 e.0 d.0",
            ),
            (
                ["d", "m2", "i"].map(|n| OrderName::Var(id(n))).to_vec(),
                "m1 d.2 d.1 d.0 m2 i.1 i.0 e.1 z.1 e.0 z.0",
            ),
            (
                vec![
                    OrderName::Bit(id("e"), 0),
                    OrderName::Bit(id("z"), 1),
                    OrderName::Var(id("m2")),
                ],
                "m1 e.0 z.1 m2 d.2 i.1 e.1 d.1 i.0 d.0 z.0",
            ),
        ];
        for (file, expected) in cases {
            let found = names(
                &model,
                Some(&file),
                StaticOrder::Basic,
                OrderType::default(),
            );
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn inputs_and_interleaving_follow_the_order_type() {
        use {Inputs::*, StaticOrder::*};
        let model = flat(MIXED);
        let cases = [
            (
                First,
                false,
                None,
                "i.1 i.0 e.1 e.0 m1 d.2 d.1 d.0 m2 z.1 z.0",
            ),
            (
                First,
                false,
                Basic,
                "i.1 i.0 d.2 d.1 d.0 e.1 e.0 m1 m2 z.1 z.0",
            ),
            (
                Last,
                false,
                None,
                "e.1 e.0 m1 d.2 d.1 d.0 m2 z.1 z.0 i.1 i.0",
            ),
            (
                Last,
                false,
                Basic,
                "e.1 e.0 m1 d.2 d.1 d.0 i.1 i.0 m2 z.1 z.0",
            ),
            (
                Last,
                true,
                None,
                "m1 m2 d.2 e.1 d.1 z.1 i.1 e.0 d.0 z.0 i.0",
            ),
            (
                Last,
                true,
                Basic,
                "e.1 e.0 m1 d.2 d.1 i.1 d.0 i.0 m2 z.1 z.0",
            ),
        ];
        for (inputs, interleave, kind, expected) in cases {
            let order_type = OrderType { inputs, interleave };
            let found = names(&model, Option::None, kind, order_type);
            assert_eq!(found, expected, "{order_type:?} {kind:?}");
        }
    }
}
