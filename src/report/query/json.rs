//! The answer to a query as an object of the JSON document.

use super::{Report, skipped};
use crate::engine::query::answer::{Refined, Strongest};
use crate::engine::query::refine::Group;
use crate::engine::query::{Cube, Listing};
use serde_json::{Map, Value, json};

impl Report<'_> {
    fn cube_json(&self, cube: &Cube) -> Value {
        let told = self.told(cube);
        let values: Map<String, Value> = told
            .map(|(var, _, intervals)| (var.name.clone(), json!(intervals)))
            .collect();
        json!({ "values": values })
    }

    fn listing_json(&self, listing: &Listing) -> Vec<Value> {
        listing.cubes.iter().map(|c| self.cube_json(c)).collect()
    }

    /// The object in the list `queries` of the document.
    pub fn json(&self) -> Value {
        let a = self.answer;
        let mut some = self.listing_json(&a.some);
        for (i, cube) in some.iter_mut().enumerate() {
            cube["initial_states"] = json!(a.initial[i].to_string());
            if let Some(starts) = &a.starts {
                cube["initial_cubes"] = self.listing_json(&starts[i]).into();
            }
        }
        let mut entry = json!({
            "text": self.text(),
            "name": self.query.name,
            "variables": self.names(&self.query.over),
            "count": a.count.to_string(),
            "count_some": a.count_some.to_string(),
            "cubes": self.listing_json(&a.all),
            "cubes_some": some,
            "complete": !(a.all.cut || a.some.cut),
            "time_ms": a.time.as_secs_f64() * 1e3,
            "initial_ms": a.initial_time.as_secs_f64() * 1e3,
        });
        match &a.refined {
            None => {}
            Some(Refined::NotPositive) => entry["refined"] = Value::Null,
            Some(Refined::Levels(levels, skip)) => {
                if let Some(skip) = skip {
                    entry["refined_skipped"] = json!(skipped(skip));
                }
                let group = |g: &Group| {
                    json!({
                        "variables": self.names(&g.over), "count_some": g.some.to_string(),
                    })
                };
                let level = |l: &Vec<_>| l.iter().map(group).collect::<Vec<_>>();
                entry["refined"] = json!(levels.iter().map(level).collect::<Vec<_>>());
            }
        }
        match &a.strongest {
            None => {}
            Some(Strongest::Found(all)) => {
                let texts: Vec<String> = all.iter().map(|l| self.formula(l)).collect();
                entry["strongest"] = json!(texts);
            }
            Some(_) => entry["strongest"] = Value::Null,
        }
        if let Some(n) = &a.naive {
            entry["naive"] = json!({
                "checked": n.checked,
                "minterms": n.minterms.to_string(),
                "differ": n.differ,
                "time_ms": n.time.as_secs_f64() * 1e3,
                "cold_checked": n.cold,
                "cold_time_ms": n.cold_time.as_secs_f64() * 1e3,
            });
        }
        entry
    }
}
