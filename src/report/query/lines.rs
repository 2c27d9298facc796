//! The answer to a query as lines for people.

use super::{Report, skipped};
use crate::engine::query::Listing;
use crate::engine::query::answer::{Refined, Strongest};
use crate::engine::query::refine::Group;
use num_bigint::BigUint;

/// Groups of a level of refinement that are printed.
const GROUPS: usize = 20;

impl Report<'_> {
    /// The lines of the answer.
    pub fn lines(&self) -> String {
        let a = self.answer;
        let mut out = format!("-- query {} has {}", self.text(), solutions(&a.count));
        // With one initial state both answers are one.
        let same = a.count == a.count_some && a.initial.iter().all(|n| *n == BigUint::from(1u32));
        if same {
            out.push('\n');
        } else {
            out += &format!(" in all initial states, {} in some\n", a.count_some);
            for cube in &a.all.cubes {
                out += &format!("--   in all: {}\n", self.cube(cube, ", "));
            }
            out += cut(&a.all);
        }
        for (i, (cube, n)) in a.some.cubes.iter().zip(&a.initial).enumerate() {
            out += &format!("--   {}: {}", i + 1, self.cube(cube, ", "));
            if !same {
                let plural = if *n == BigUint::from(1u32) { "" } else { "s" };
                out += &format!(" (from {n} initial state{plural})");
            }
            out.push('\n');
            for start in a.starts.iter().flat_map(|s| &s[i].cubes) {
                out += &format!("--      from {}\n", self.cube(start, ", "));
            }
            if a.starts.as_ref().is_some_and(|s| s[i].cut) {
                out += "--      and from more\n";
            }
        }
        out += cut(&a.some);
        out + &self.refined() + &self.strongest() + &self.naive()
    }

    fn refined(&self) -> String {
        let (levels, skip) = match &self.answer.refined {
            None => return String::new(),
            Some(Refined::NotPositive) => {
                return "--   not refined: the placeholder stands under a negation\n".to_owned();
            }
            Some(Refined::Levels(levels, skip)) => (levels, skip),
        };
        let mut out = String::new();
        for (i, groups) in levels.iter().enumerate() {
            if let Some(skip) = skip
                && i + 1 == levels.len()
            {
                let why = skipped(skip);
                out += &format!("--   refined: {why}; all variables next\n");
            }
            out += &self.level(groups);
        }
        out
    }

    /// A level of refinement.
    fn level(&self, groups: &[Group]) -> String {
        let group = |g: &Group| format!("{{{}}} {}", self.names(&g.over).join(", "), g.some);
        let mut parts: Vec<String> = groups.iter().take(GROUPS).map(group).collect();
        if groups.len() > GROUPS {
            parts.push(format!("and {} more groups", groups.len() - GROUPS));
        }
        format!("--   refined: {}\n", parts.join("; "))
    }

    fn strongest(&self) -> String {
        match &self.answer.strongest {
            None => String::new(),
            Some(Strongest::NotPositive) => {
                "--   no strongest solutions: the placeholder stands under a negation\n".to_owned()
            }
            Some(Strongest::TooMany(n)) => {
                format!("--   strongest solutions not sought: {n} minterms, at most 16\n")
            }
            Some(Strongest::Found(all)) if all.is_empty() => "--   strongest: none\n".to_owned(),
            Some(Strongest::Found(all)) => all
                .iter()
                .map(|formula| format!("--   strongest: {}\n", self.formula(formula)))
                .collect(),
        }
    }

    /// What one pass wins over checking minterm by minterm.
    fn naive(&self) -> String {
        let Some(n) = &self.answer.naive else {
            return String::new();
        };
        let (pass, all) = (self.answer.time.as_secs_f64(), n.extrapolated_s());
        let cold = n.extrapolated_cold_s();
        let answers = match n.differ {
            0 => "same answers".to_owned(),
            d => format!("{d} OTHER ANSWERS: this is a bug, please report it"),
        };
        format!(
            "--   naive: {} of {} minterms checked, {answers}; {:.3} s, all would take {all:.1} s \
             ({cold:.1} s each from empty tables); one pass {pass:.3} s, {:.0} ({:.0}) times faster\n",
            n.checked,
            n.minterms,
            n.time.as_secs_f64(),
            all / pass.max(1e-9),
            cold / pass.max(1e-9),
        )
    }
}

fn solutions(n: &BigUint) -> String {
    let plural = if *n == BigUint::from(1u32) { "" } else { "s" };
    format!("{n} solution{plural}")
}

fn cut(listing: &Listing) -> &'static str {
    if listing.cut {
        "--   (there are more; -query_limit says how many are listed)\n"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::query::testing::ask_all;
    use crate::engine::query::{Config, answer};
    use crate::model::testing::flat;
    use std::rc::Rc;

    /// The lines for the queries of a model.
    fn lines(body: &str, config: &Config) -> String {
        let model = Rc::new(flat(body));
        let mut out = String::new();
        ask_all(&model, |query, question| {
            let found = answer(question, config, &mut |_, _| ()).unwrap();
            let report = Report {
                model: &model,
                query,
                answer: &found,
            };
            out += &report.lines();
        });
        out
    }

    #[test]
    fn values_of_all_types() {
        let body = "VAR w : signed word[40]; e : {a, b, 7}; r : 0..1000; x : array 0..1 of 1..3;
            ASSIGN init(w) := -0sd40_2; next(w) := w = 0sd40_1 ? w : w + 0sd40_1;
              init(e) := a; next(e) := {a, 7};
              init(x[0]) := 2; next(x[0]) := 3; init(x[1]) := 1; next(x[1]) := x[1];
            INIT r = 0 TRANS next(r) = 5 | next(r) >= 7 & next(r) <= 900
            QUERYSPEC EF ?{w} QUERYSPEC EF ?{e} QUERYSPEC EF ?{r} QUERYSPEC EF ?{x}";
        assert_eq!(
            lines(body, &Config::default()),
            "-- query EF ?{w} has 4 solutions\n\
             --   1: w in -0sd40_2..0sd40_1\n\
             -- query EF ?{e} has 2 solutions\n\
             --   1: e in {a, 7}\n\
             -- query EF ?{r} has 896 solutions\n\
             --   1: r in {0, 5, 7..900}\n\
             -- query EF ?{x} has 2 solutions\n\
             --   1: x[0] in {2, 3}, x[1] = 1\n"
        );
    }

    #[test]
    fn lists_are_cut_and_counts_exact() {
        let body = "FROZENVAR r : 0..1000000; w : word[64];
            QUERYSPEC AG ?{r} QUERYSPEC AG ? QUERYSPEC EF !?{w}";
        let config = Config {
            limit: 2,
            ..Config::default()
        };
        assert_eq!(
            lines(body, &config),
            "-- query AG ?{r} has 0 solutions in all initial states, 1000001 in some\n\
             --   1: r = 0 (from 18446744073709551616 initial states)\n\
             --   2: r = 1 (from 18446744073709551616 initial states)\n\
             --   (there are more; -query_limit says how many are listed)\n\
             -- query AG ? has 0 solutions in all initial states, 18446762520453625325551616 in some\n\
             --   1: r = 0, w = 0ud64_0 (from 1 initial state)\n\
             --   2: r = 0, w = 0ud64_1 (from 1 initial state)\n\
             --   (there are more; -query_limit says how many are listed)\n\
             -- query EF !?{w} has 0 solutions in all initial states, 18446744073709551616 in some\n\
             --   1: w = 0ud64_0 (from 18446762520453625324551615 initial states)\n\
             --   2: w = 0ud64_1 (from 18446762520453625324551615 initial states)\n\
             --   (there are more; -query_limit says how many are listed)\n"
        );
    }

    #[test]
    fn strongest_solutions_of_figure_4_4() {
        let body = "VAR p : boolean; q : boolean; r : boolean;
            ASSIGN init(p) := TRUE; next(p) := q ? p : {TRUE, FALSE};
              init(q) := FALSE; next(q) := TRUE; init(r) := TRUE; next(r) := TRUE;
            QUERYSPEC AF ? QUERYSPEC AG ? QUERYSPEC AF !?";
        let config = Config {
            strongest: true,
            refine: true,
            ..Config::default()
        };
        assert_eq!(
            lines(body, &config),
            "-- query AF ? has 1 solution\n\
             --   1: p = TRUE, q = FALSE, r = TRUE\n\
             --   refined: {p} 1; {q} 2; {r} 1\n\
             --   refined: 2 candidates left; all variables next\n\
             --   refined: {p, q, r} 1\n\
             --   strongest: p = TRUE & q = FALSE & r = TRUE\n\
             --   strongest: q = TRUE & r = TRUE\n\
             -- query AG ? has 0 solutions\n\
             --   refined: {p} 0\n\
             --   strongest: (p = FALSE & q = TRUE & r = TRUE) | (p = TRUE & r = TRUE)\n\
             -- query AF !? has 8 solutions\n\
             --   1: any values\n\
             --   not refined: the placeholder stands under a negation\n\
             --   no strongest solutions: the placeholder stands under a negation\n"
        );
    }

    #[test]
    fn no_fair_initial_state() {
        let body =
            "VAR x : 0..2; ASSIGN next(x) := x; JUSTICE x = 3; QUERYSPEC EF ? QUERYSPEC AG !?";
        let expected =
            "has 3 solutions in all initial states, 0 in some\n--   in all: any values\n";
        let found = lines(body, &Config::default());
        assert_eq!(
            found,
            format!("-- query EF ? {expected}-- query AG !? {expected}")
        );
    }
}
