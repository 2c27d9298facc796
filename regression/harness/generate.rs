//! Random models that the real NuSMV accepts: well typed, no circular or double assignment, every
//! value in range, inputs only where they may stand.
//!
//! Acyclic by construction: the right side of `x := e` and `init(x) := e` mentions only variables
//! declared before `x`, and `next(x) := e` mentions the next value only of those.

use super::gen_expr::{Array, ExprGen, Pool};
use super::rng::Rng;
use super::smv::{Expr, Item, Kind, Model, Module};

/// How many properties of each kind, and what the models may have.
#[derive(Clone, Debug)]
pub struct Settings {
    pub ctl: usize,
    pub invar: usize,
    pub compute: usize,
    pub ltl: usize,
    pub psl: usize,
    /// Deepest nesting of temporal operators.
    pub depth: u32,
    pub processes: bool,
    pub inputs: bool,
    /// Bounded CTL operators. The real NuSMV forgets to reference their result, and aborts at the
    /// next garbage collection, which LTL properties in the same model bring about.
    pub bounded: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            ctl: 12,
            invar: 3,
            compute: 2,
            ltl: 0,
            psl: 0,
            depth: 4,
            processes: true,
            inputs: true,
            bounded: true,
        }
    }
}

#[derive(Clone)]
struct Symbol {
    text: String,
    kind: Kind,
    input: bool,
    define: bool,
    /// Position for acyclicity; symbols of instances come first of all.
    order: usize,
}

/// What a module offers while it is built.
#[derive(Default)]
struct Scope {
    symbols: Vec<Symbol>,
    arrays: Vec<(Array, usize)>,
    items: Vec<Item>,
    bits: u32,
}

/// The random model of `seed`.
pub fn generate(seed: u64, settings: &Settings) -> Model {
    let mut rng = Rng::new(seed);
    let process = settings.processes && rng.chance(8);
    let children = if process {
        1
    } else {
        *rng.pick(&[0, 0, 1, 1, 2])
    };
    let modules: Vec<_> = (0..children)
        .map(|i| child(&mut rng, i, process, settings))
        .collect();
    let mut main = Scope::default();
    own_variables(&mut rng, &mut main, "", settings.inputs, 9);
    for (module, exported, params) in &modules {
        instances(&mut rng, &mut main, module, exported, params, process);
    }
    defines(&mut rng, &mut main, "");
    assignments(&mut rng, &mut main, !process);
    constraints(&mut rng, &mut main, !process);
    properties(&mut rng, &mut main, settings);
    let mut all = vec![Module {
        name: "main".into(),
        params: Vec::new(),
        items: main.items,
    }];
    all.extend(modules.into_iter().map(|(m, _, _)| m));
    Model { modules: all }
}

fn bits_of(kind: &Kind) -> u32 {
    let values = match kind {
        Kind::Int(lo, hi) => (hi - lo + 1) as u64,
        Kind::Enum(values) => values.len() as u64,
        Kind::Word { width, .. } => 1 << width,
        _ => 2,
    };
    values.next_power_of_two().trailing_zeros().max(1)
}

fn random_kind(rng: &mut Rng) -> Kind {
    match rng.below(12) {
        0..=4 => Kind::Bool,
        5..=7 => {
            let lo = rng.between(-2, 2);
            Kind::Int(lo, rng.between(lo + 1, lo + 4))
        }
        8 | 9 => {
            const NAMES: [&str; 6] = ["red", "green", "blue", "idle", "busy", "done"];
            let first = rng.below(4);
            let count = 2 + rng.below(5 - first.min(3));
            let mut values: Vec<String> = NAMES
                .iter()
                .skip(first)
                .take(count)
                .map(|s| s.to_string())
                .collect();
            if rng.chance(25) {
                values.push(rng.between(3, 9).to_string());
            }
            Kind::Enum(values)
        }
        _ => Kind::Word {
            signed: rng.chance(40),
            width: 1 + rng.below(3) as u32,
        },
    }
}

fn type_text(kind: &Kind) -> String {
    match kind {
        Kind::Int(lo, hi) => format!("{lo}..{hi}"),
        Kind::Enum(values) => format!("{{{}}}", values.join(", ")),
        Kind::Word { signed, width } => {
            format!(
                "{} word[{width}]",
                if *signed { "signed" } else { "unsigned" }
            )
        }
        _ => "boolean".into(),
    }
}

fn own_variables(rng: &mut Rng, scope: &mut Scope, prefix: &str, inputs: bool, most_bits: u32) {
    let count = 2 + rng.below(4);
    for i in 0..count {
        let kind = random_kind(rng);
        let name = format!("{prefix}{}{i}", *rng.pick(&["x", "y", "v"]));
        if i > 1 && scope.bits + bits_of(&kind) > most_bits {
            continue;
        }
        if matches!(kind, Kind::Bool | Kind::Int(..)) && rng.chance(12) {
            array_variable(rng, scope, name, kind);
            continue;
        }
        let section = match rng.below(100) {
            0..12 if inputs => "IVAR",
            12..20 => "FROZENVAR",
            _ => "VAR",
        };
        scope.bits += bits_of(&kind);
        let order = scope.symbols.len() + 1;
        scope.items.push(Item::Var {
            section,
            name: name.clone(),
            ty: type_text(&kind),
        });
        let input = section == "IVAR";
        scope.symbols.push(Symbol {
            text: name.clone(),
            kind: kind.clone(),
            input,
            define: false,
            order,
        });
        if input {
            continue;
        }
        // The assignments of a frozen variable stop at init.
        if section == "FROZENVAR" && rng.chance(30) {
            let right = rhs(rng, scope, &name, order, Phase::Init);
            scope.items.push(Item::Assign {
                left: format!("init({name})"),
                right,
            });
        }
        if section == "FROZENVAR" {
            scope.symbols.last_mut().expect("just pushed").order = order;
        }
    }
}

fn array_variable(rng: &mut Rng, scope: &mut Scope, name: String, kind: Kind) {
    // Not below zero: for `a[-1]` the real NuSMV counts all cells into the cone, which moves lines.
    let lo = rng.between(0, 2);
    let hi = lo + 1;
    scope.bits += 2 * bits_of(&kind);
    let ty = format!("array {lo}..{hi} of {}", type_text(&kind));
    scope.items.push(Item::Var {
        section: "VAR",
        name: name.clone(),
        ty,
    });
    let order = scope.symbols.len() + 1;
    for i in lo..=hi {
        let text = format!("{name}[{i}]");
        scope.symbols.push(Symbol {
            text,
            kind: kind.clone(),
            input: false,
            define: false,
            order,
        });
    }
    scope.arrays.push((
        Array {
            name,
            lo,
            hi,
            element: kind,
        },
        order,
    ));
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Init,
    Current,
    Next,
}

/// What may be mentioned: all of the scope, inputs on request.
fn pool(scope: &Scope, inputs: bool) -> Pool {
    let allowed = |s: &&Symbol| inputs || !s.input;
    Pool {
        leaves: scope
            .symbols
            .iter()
            .filter(allowed)
            .map(|s| (s.text.clone(), s.kind.clone()))
            .collect(),
        arrays: scope.arrays.iter().map(|(a, _)| a.clone()).collect(),
        nextable: Vec::new(),
    }
}

fn rhs(rng: &mut Rng, scope: &Scope, name: &str, order: usize, phase: Phase) -> Expr {
    let kind = scope
        .symbols
        .iter()
        .find(|s| s.text == name)
        .expect("declared")
        .kind
        .clone();
    let before = |s: &&Symbol| s.order < order && !s.input && !s.define;
    let pool = match phase {
        Phase::Next => {
            let mut pool = pool(scope, true);
            let earlier = scope.symbols.iter().filter(before);
            // Not too many, or everything is combinational.
            for s in earlier.take(2) {
                pool.leaves
                    .push((format!("next({})", s.text), s.kind.clone()));
            }
            pool
        }
        _ => Pool {
            leaves: scope
                .symbols
                .iter()
                .filter(before)
                .map(|s| (s.text.clone(), s.kind.clone()))
                .collect(),
            ..Pool::default()
        },
    };
    let depth = if phase == Phase::Next { 3 } else { 2 };
    ExprGen { rng }.choice(&pool, &kind, depth)
}

fn assignments(rng: &mut Rng, scope: &mut Scope, with_next: bool) {
    let assigned: Vec<Symbol> = scope
        .symbols
        .iter()
        .filter(|s| !s.input && !s.define && s.order > 0)
        .filter(|s| {
            let frozen = |i: &Item| {
                matches!(i, Item::Var { section: "FROZENVAR", name, .. } if *name == s.text)
            };
            !scope.items.iter().any(frozen)
        })
        .cloned()
        .collect();
    for s in assigned {
        let name = s.text.as_str();
        if rng.chance(10) {
            let right = rhs(rng, scope, name, s.order, Phase::Current);
            scope.items.push(Item::Assign {
                left: name.into(),
                right,
            });
            continue;
        }
        if rng.chance(65) {
            let right = rhs(rng, scope, name, s.order, Phase::Init);
            scope.items.push(Item::Assign {
                left: format!("init({name})"),
                right,
            });
        }
        if rng.chance(75) {
            let order = if with_next { s.order } else { 0 };
            let right = rhs(rng, scope, name, order, Phase::Next);
            scope.items.push(Item::Assign {
                left: format!("next({name})"),
                right,
            });
        }
    }
}

fn defines(rng: &mut Rng, scope: &mut Scope, prefix: &str) {
    for i in 0..rng.below(4) {
        let pool = pool(scope, false);
        let kind = match rng.below(4) {
            0 => Kind::Int(-2, 5),
            1 => Kind::Word {
                signed: false,
                width: 2,
            },
            _ => Kind::Bool,
        };
        let body = ExprGen { rng }.of_kind(&pool, &kind, 2);
        let name = format!("{prefix}d{i}");
        let kind = if let Kind::Int(..) = body.kind {
            body.kind.clone()
        } else {
            kind
        };
        scope.symbols.push(Symbol {
            text: name.clone(),
            kind,
            input: false,
            define: true,
            order: usize::MAX,
        });
        scope.items.push(Item::Define { name, body });
    }
}

fn constraints(rng: &mut Rng, scope: &mut Scope, with_trans: bool) {
    let states = pool(scope, false);
    let mut section = |rng: &mut Rng, word, pool: &Pool, depth, loose: bool| {
        let mut body = ExprGen { rng }.boolean(pool, depth);
        if loose {
            let other = ExprGen { rng }.boolean(pool, depth);
            body = Expr::new(Kind::Bool, "(@ | @)", vec![body, other]);
        }
        scope.items.push(Item::Section { word, body });
    };
    if rng.chance(30) {
        section(rng, "INIT", &states, 1, true);
    }
    if rng.chance(20) {
        section(rng, "INVAR", &states, 1, true);
    }
    for _ in 0..*rng.pick(&[0, 0, 1, 1, 2]) {
        let word = *rng.pick(&["JUSTICE", "FAIRNESS"]);
        section(rng, word, &states, 2, false);
    }
    if with_trans && rng.chance(30) {
        let mut both = pool(scope, true);
        let current = states.leaves.iter();
        both.nextable = current.cloned().collect();
        for (text, kind) in &states.leaves {
            both.leaves.push((format!("next({text})"), kind.clone()));
        }
        let loose = rng.chance(80);
        let mut body = ExprGen { rng }.boolean(&both, 2);
        if loose {
            let other = ExprGen { rng }.boolean(&both, 2);
            body = Expr::new(Kind::Bool, "(@ | @)", vec![body, other]);
        }
        scope.items.push(Item::Section {
            word: "TRANS",
            body,
        });
    }
}

/// A module with parameters: itself, what it exports, and the kinds of its parameters.
fn child(
    rng: &mut Rng,
    number: usize,
    process: bool,
    settings: &Settings,
) -> (Module, Vec<Symbol>, Vec<Kind>) {
    let mut scope = Scope::default();
    let params: Vec<Kind> = (0..rng.below(3))
        .map(|_| {
            if rng.chance(60) {
                Kind::Bool
            } else {
                Kind::Int(0, 3)
            }
        })
        .collect();
    own_variables(rng, &mut scope, "m", settings.inputs && !process, 3);
    let exported: Vec<Symbol> = scope.symbols.iter().filter(|s| !s.input).cloned().collect();
    let names: Vec<String> = (0..params.len()).map(|i| format!("p{i}")).collect();
    for (name, kind) in names.iter().zip(&params) {
        // Parameters count as defines: never in init or current assignments (no cycles that way).
        scope.symbols.push(Symbol {
            text: name.clone(),
            kind: kind.clone(),
            input: false,
            define: true,
            order: usize::MAX,
        });
    }
    defines(rng, &mut scope, "m");
    assignments(rng, &mut scope, !process);
    if process {
        scope.items.push(Item::Section {
            word: "FAIRNESS",
            body: Expr::leaf(Kind::Bool, "running"),
        });
    } else {
        constraints(rng, &mut scope, true);
    }
    let few = Settings {
        ctl: 1,
        invar: 1,
        compute: 0,
        ltl: settings.ltl.min(1),
        psl: settings.psl.min(1),
        ..settings.clone()
    };
    // The real NuSMV loses the instance's name in `a[d]` with a DEFINE d in an INVARSPEC.
    scope.arrays.clear();
    properties(rng, &mut scope, &few);
    let module = Module {
        name: format!("M{number}"),
        params: names,
        items: scope.items,
    };
    (module, exported, params)
}

fn instances(
    rng: &mut Rng,
    scope: &mut Scope,
    module: &Module,
    exported: &[Symbol],
    params: &[Kind],
    process: bool,
) {
    for i in 0..1 + rng.below(2) {
        let name = format!("{}_{i}", module.name.to_lowercase());
        let all = pool(scope, false);
        let args = params
            .iter()
            .map(|k| ExprGen { rng }.of_kind(&all, k, 1))
            .collect();
        scope.items.push(Item::Instance {
            name: name.clone(),
            module: module.name.clone(),
            args,
            process,
        });
        let inside = exported.iter().map(|s| Symbol {
            text: format!("{name}.{}", s.text),
            order: 0,
            define: true,
            ..s.clone()
        });
        scope.symbols.extend(inside);
    }
}

fn properties(rng: &mut Rng, scope: &mut Scope, settings: &Settings) {
    let states = pool(scope, false);
    let mut all = pool(scope, true);
    if rng.chance(20) {
        for (text, kind) in &states.leaves {
            all.leaves.push((format!("next({text})"), kind.clone()));
        }
    }
    for i in 0..settings.ctl {
        let depth = 1 + (i as u32 % settings.depth);
        let body = ExprGen { rng }.ctl(&states, depth, settings.bounded);
        scope.items.push(Item::Section {
            word: *rng.pick(&["SPEC", "CTLSPEC"]),
            body,
        });
    }
    for _ in 0..settings.invar {
        let pool = if rng.chance(30) { &all } else { &states };
        let body = ExprGen { rng }.boolean(pool, 2);
        scope.items.push(Item::Section {
            word: "INVARSPEC",
            body,
        });
    }
    for _ in 0..settings.compute {
        let a = ExprGen { rng }.boolean(&states, 2);
        let b = ExprGen { rng }.boolean(&states, 2);
        let form = *rng.pick(&["COMPUTE MIN [ @ , @ ]", "COMPUTE MAX [ @ , @ ]"]);
        scope.items.push(Item::Pair { form, a, b });
    }
    for _ in 0..settings.ltl {
        let pool = if rng.chance(20) { &all } else { &states };
        let body = ExprGen { rng }.ltl(pool, settings.depth.min(3));
        scope.items.push(Item::Section {
            word: "LTLSPEC",
            body,
        });
    }
    for _ in 0..settings.psl {
        let body = ExprGen { rng }.psl(&states, settings.depth.min(3));
        scope.items.push(Item::Section {
            word: "PSLSPEC",
            body,
        });
    }
}
