//! Flattening as a whole: structure of the result and messages, compared with the real NuSMV's.

use crate::model::testing::{errors, flat};
use crate::model::{FlatModel, Node, PropFormula, PropKind, Value};

fn names(m: &FlatModel) -> Vec<&str> {
    m.vars.iter().map(|v| v.name.as_str()).collect()
}

fn defines(m: &FlatModel) -> Vec<&str> {
    m.defines.iter().map(|d| d.name.as_str()).collect()
}

#[test]
fn variables_are_in_depth_first_order_and_defines_backwards() {
    let m = flat(
        "MODULE main
         VAR z : boolean; m2 : sub; s : 1..1; a : array 0..1 of boolean;
         DEFINE d1 := z; d2 := z; DEFINE d3 := [z, !z];
         MODULE sub VAR q : boolean; DEFINE e1 := q; e2 := q;",
    );
    assert_eq!(names(&m), ["z", "m2.q", "a[0]", "a[1]"]);
    assert_eq!(
        defines(&m),
        ["d2", "d1", "d3[0]", "d3[1]", "m2.e2", "m2.e1", "s"]
    );
    assert_eq!(m.warnings.len(), 1);
}

#[test]
fn parameters_are_passed_by_reference() {
    let m = flat(
        "MODULE main
         VAR a : sub(self, x); x : 0..3;
         MODULE sub(up, p) VAR b : leaf(p, up.x + 1); ASSIGN init(p) := 2;
         MODULE leaf(q, e) ASSIGN next(q) := e;",
    );
    assert_eq!(m.assigns.len(), 2);
    assert!(m.assigns.iter().all(|a| m.var(a.var).name == "x"));
}

#[test]
fn names_may_be_declared_through_parameters_and_with_dots() {
    let m = flat(
        "MODULE main
         VAR e : cell(self); DEFINE e.go := TRUE;
         INVARSPEC out
         MODULE cell(above) VAR t : boolean; DEFINE above.out := t & go;",
    );
    assert_eq!(defines(&m), ["e.go", "out"]);
}

#[test]
fn computed_indices_end_in_failure() {
    let m = flat("VAR i : 0..3; a : array 1..2 of boolean; INVAR a[i];");
    let mut e = m.invar[0].expr;
    let mut arms = 0;
    while let Node::Ite(_, _, rest) = m.pool.node(e) {
        e = *rest;
        arms += 1;
    }
    assert_eq!(arms, 2);
    assert!(matches!(m.pool.node(e), Node::Fail { .. }));
}

#[test]
fn array_values_flow_through_definitions_and_choices() {
    let m = flat(
        "VAR a : array 0..1 of boolean; b : array 0..1 of boolean; c : boolean;
         DEFINE d := c ? a : b; INVAR d[1] & a = b;",
    );
    assert!(defines(&m).is_empty());
    assert_eq!(m.invar.len(), 1);
}

#[test]
fn processes_share_one_selector() {
    let m = flat(
        "MODULE main
         VAR x : boolean; p : process s(x); q : process s(x);
         MODULE s(y) VAR r : process t; ASSIGN next(y) := !y;
         MODULE t VAR k : boolean; FAIRNESS running",
    );
    let selector = m.process_selector.map(|v| m.var(v));
    let values = match selector.map(|s| &s.ty) {
        Some(crate::model::VarType::Enum(values)) => values.clone(),
        other => panic!("{other:?}"),
    };
    let shown: Vec<&str> = values
        .iter()
        .map(|v| match v {
            Value::Sym(s) => m.pool.symbol_name(*s),
            _ => "",
        })
        .collect();
    assert_eq!(shown, ["main", "q", "q.r", "p", "p.r"]);
    assert_eq!(
        defines(&m),
        [
            "running",
            "q.running",
            "q.r.running",
            "p.running",
            "p.r.running"
        ]
    );
    // Both processes assign next(x): one merged assignment.
    assert_eq!(m.assigns.len(), 1);
}

#[test]
fn properties_are_numbered_by_kind() {
    let m = flat(
        "VAR x : boolean;
         INVARSPEC x LTLSPEC G x SPEC NAME n := AG x COMPUTE MIN [x, !x] SPEC EF x",
    );
    let kinds: Vec<PropKind> = m.properties.iter().map(|p| p.kind).collect();
    use PropKind::*;
    assert_eq!(kinds, [Ctl, Ctl, Compute, Ltl, Invar]);
    assert_eq!(m.properties[0].name.as_deref(), Some("n"));
    assert!(matches!(m.properties[4].formula, PropFormula::Invar(_)));
}

#[test]
fn cases_without_a_default_fail() {
    let m = flat("VAR x : boolean; ASSIGN next(x) := case x : FALSE; TRUE : TRUE; esac;");
    assert!(
        m.pool
            .ids()
            .all(|e| !matches!(m.pool.node(e), Node::Fail { .. }))
    );
    let m = flat("VAR x : boolean; ASSIGN next(x) := case x : FALSE; !x : TRUE; esac;");
    assert!(
        m.pool
            .ids()
            .any(|e| matches!(m.pool.node(e), Node::Fail { .. }))
    );
}

#[test]
fn messages_are_those_of_nusmv() {
    let cases = [
        ("VAR x : foo;", "\nfile F: line 1: \"foo\" undefined\n"),
        (
            "VAR x : boolean; INIT\ny;",
            "\nfile F: line 2: \"y\" undefined\n\n",
        ),
        (
            "VAR x : boolean; DEFINE a := y;",
            "\nfile F: line 1: \"y\" undefined\nin definition of a\n\n",
        ),
        (
            "VAR x : boolean; VAR x : 0..2;",
            "\nfile F: line 1: multiple declaration of identifier: x\n",
        ),
        (
            "VAR a : array 0..2 of boolean; INIT a[5];",
            "\nfile F: line 1: array index has value 5 which is outside of allowed range [0, 2]\n\n\n",
        ),
        (
            "VAR a : boolean; INIT a[1];",
            "\nfile F: line 1: left hand side of index sub-scripting is not an array\n\n",
        ),
        (
            "VAR a : 3..1;",
            "\nfile F: line 1: empty range type 3..1 for a\n",
        ),
        (
            "VAR a : word[0];",
            "\nTYPE ERROR file F: line 1 : in the declaration of 'a' the Word width is not a positive \
             number (from range [1..64])\n\nfile F: Type System Violation detected\n\n",
        ),
        (
            "DEFINE a := b; b := a; VAR x : boolean;",
            "\nfile F: line 1: recursively defined: b\n",
        ),
        (
            "VAR m : foo; MODULE foo VAR k : foo;",
            "\nfile F: line 1: module \"foo\" is recursively defined\n",
        ),
        (
            "VAR x : boolean; IVAR i : boolean; ASSIGN i := TRUE;",
            "\nfile F: line 1: illegal assignment of value to input variable \"i\"\n",
        ),
    ];
    for (body, want) in cases {
        assert_eq!(errors(body), want, "{body}");
    }
}

#[test]
fn type_errors_are_collected_with_their_lines() {
    let got = errors(
        "VAR x : boolean; w : word[3];\nINIT x + 1 = 2;\nTRANS w = 0ud4_1;\nINVAR x + 1 = 2;",
    );
    assert_eq!(
        got,
        "\nTYPE ERROR file F: line 2 : illegal operand types of \"+\" : boolean and integer\n\
         \nTYPE ERROR file F: line 3 : illegal operand types of \"=\" : unsigned word[3] and unsigned word[4]\n\
         \nTYPE ERROR file F: line 4 : illegal operand types of \"+\" : boolean and integer\n\
         \nfile F: Type System Violation detected\n\n"
    );
}

#[test]
fn assignments_are_checked() {
    let circular = errors("VAR x : boolean; y : boolean; ASSIGN x := !y; y := x;");
    let want = "\nfile F: line 1: recursively defined: x\nin definition of y at line 1\nin definition of x at line 1\n\n";
    assert_eq!(circular, want);
    let next = "VAR x : boolean; y : boolean; ASSIGN next(x) := next(y); next(y) := next(x);";
    assert!(errors(next).contains("in definition of next(y) at line 1"));
    assert_eq!(
        errors("VAR x : boolean; y : boolean; ASSIGN next(x) := y; next(y) := x;"),
        ""
    );
    let twice = "VAR x : boolean; ASSIGN init(x) := TRUE;\ninit(x) := FALSE;";
    assert_eq!(
        errors(twice),
        "\nfile F: line 2: variable is assigned more than once: x\n"
    );
    let mixed = "VAR x : boolean; ASSIGN x := TRUE; next(x) := FALSE;";
    assert_eq!(
        errors(mixed),
        "\nfile F: line 1: assigned x, line 1: assigned next(x)\n"
    );
}
