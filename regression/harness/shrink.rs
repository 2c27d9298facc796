//! Cutting a model down while a fault stays: properties, declarations, then expressions.
//!
//! Every candidate is judged by running the checkers again, so a cut that breaks the model (an
//! undefined name) is simply refused by `still_fails`.

use super::smv::{Expr, Item, Kind, Model};
use std::time::{Duration, Instant};

/// The smallest model found within `limit` for which `still_fails` holds; it holds for `model`.
pub fn shrink(model: &Model, limit: Duration, still_fails: &dyn Fn(&Model) -> bool) -> Model {
    let mut best = model.clone();
    let end = Instant::now() + limit;
    loop {
        let before = best.clone();
        drop_items(&mut best, end, &|i| i.is_property(), still_fails);
        drop_items(&mut best, end, &|i| !i.is_property(), still_fails);
        drop_modules(&mut best, still_fails);
        simplify(&mut best, end, still_fails);
        if best == before || Instant::now() > end {
            return best;
        }
    }
}

/// Drops items that `which` selects: halves first, single ones last.
fn drop_items(
    best: &mut Model,
    end: Instant,
    which: &dyn Fn(&Item) -> bool,
    still_fails: &dyn Fn(&Model) -> bool,
) {
    for m in 0..best.modules.len() {
        let mut chunk = best.modules[m].items.len().max(1);
        loop {
            let mut at = 0;
            while at < best.modules[m].items.len() && Instant::now() < end {
                let mut candidate = best.clone();
                let items = &mut candidate.modules[m].items;
                let mut index = 0;
                items.retain(|i| {
                    index += 1;
                    !(which(i) && index > at && index <= at + chunk)
                });
                if items.len() < best.modules[m].items.len() && still_fails(&candidate) {
                    *best = candidate;
                } else {
                    at += chunk;
                }
            }
            if chunk == 1 {
                break;
            }
            chunk /= 2;
        }
    }
}

fn drop_modules(best: &mut Model, still_fails: &dyn Fn(&Model) -> bool) {
    for m in (1..best.modules.len()).rev() {
        let mut candidate = best.clone();
        candidate.modules.remove(m);
        if still_fails(&candidate) {
            *best = candidate;
        }
    }
}

/// Replaces subexpressions by their own subexpressions or by constants.
fn simplify(best: &mut Model, end: Instant, still_fails: &dyn Fn(&Model) -> bool) {
    for m in 0..best.modules.len() {
        for i in 0..best.modules[m].items.len() {
            let places = best.modules[m].items[i].exprs_mut().len();
            for place in 0..places {
                let mut node = 0;
                loop {
                    if Instant::now() > end {
                        return;
                    }
                    let root = &mut *best.modules[m].items[i].exprs_mut()[place];
                    let Some(target) = nth_mut(root, node) else {
                        break;
                    };
                    let smaller = replacements(target).into_iter().find_map(|new| {
                        let mut candidate = best.clone();
                        let mut exprs = candidate.modules[m].items[i].exprs_mut();
                        *nth_mut(exprs[place], node).expect("exists") = new;
                        still_fails(&candidate).then_some(candidate)
                    });
                    match smaller {
                        Some(candidate) => *best = candidate,
                        None => node += 1,
                    }
                }
            }
        }
    }
}

/// Smaller expressions that may stand where `e` stands.
fn replacements(e: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    if e.args.is_empty() {
        return found;
    }
    let constants: Vec<String> = match &e.kind {
        Kind::Bool | Kind::Ctl | Kind::Ltl | Kind::Fl | Kind::Obe => {
            vec!["TRUE".into(), "FALSE".into()]
        }
        Kind::Int(lo, _) => vec![lo.to_string()],
        Kind::Enum(values) => values.iter().take(1).cloned().collect(),
        Kind::Word { signed, width } => {
            vec![format!("0{}d{width}_0", if *signed { "s" } else { "u" })]
        }
        Kind::Choice(_) | Kind::Sere => Vec::new(),
    };
    let leaf_kind = match e.kind {
        Kind::Ctl | Kind::Ltl | Kind::Fl | Kind::Obe => Kind::Bool,
        ref k => k.clone(),
    };
    found.extend(
        constants
            .into_iter()
            .map(|c| Expr::leaf(leaf_kind.clone(), c)),
    );
    let mut inside: Vec<&Expr> = e.args.iter().collect();
    let mut at = 0;
    while at < inside.len() {
        inside.extend(inside[at].args.iter());
        at += 1;
    }
    found.extend(inside.into_iter().filter(|a| a.kind.fits(&e.kind)).cloned());
    found
}

/// The n-th subexpression, operators before their operands.
fn nth_mut(e: &mut Expr, mut n: usize) -> Option<&mut Expr> {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        if n == 0 {
            return Some(e);
        }
        n -= 1;
        stack.extend(e.args.iter_mut().rev());
    }
    None
}

/// A self-test, run as one trial: a fault that only needs one atom is cut down to it.
pub fn self_test() {
    let leaf = |text: &str| Expr::leaf(Kind::Bool, text);
    let deep = Expr::new(
        Kind::Ctl,
        "(AG @)",
        vec![Expr::new(
            Kind::Bool,
            "(@ & @)",
            vec![leaf("bad"), leaf("good")],
        )],
    );
    let module = super::smv::Module {
        name: "main".into(),
        params: Vec::new(),
        items: vec![
            Item::Section {
                word: "SPEC",
                body: leaf("good"),
            },
            Item::Section {
                word: "SPEC",
                body: deep,
            },
        ],
    };
    let model = Model {
        modules: vec![module],
    };
    let small = shrink(&model, Duration::from_secs(5), &|m| {
        m.to_string().contains("bad")
    });
    assert_eq!(small.to_string(), "MODULE main\nSPEC bad;\n");
}
