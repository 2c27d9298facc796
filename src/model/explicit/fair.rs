//! Fair cycles in listed graphs: strongly connected components, taken apart for compassion.
//!
//! A component with an edge is fair if it meets every justice set and, for each compassion pair, the
//! second set or not the first. Where it meets only the first, the nodes of the first cannot recur; they
//! are taken out and what is left is looked at again (Emerson and Lei, SCP 1987).

/// A graph whose nodes carry fairness conditions.
#[derive(Default)]
pub struct FairGraph {
    /// By node.
    pub successors: Vec<Vec<u32>>,
    /// By condition, by node.
    pub justice: Vec<Vec<bool>>,
    /// By pair, each side by node.
    pub compassion: Vec<(Vec<bool>, Vec<bool>)>,
}

impl FairGraph {
    /// The nodes on fair cycles within `nodes`.
    pub fn recurring(&self, nodes: &[bool]) -> Vec<bool> {
        let mut found = vec![false; nodes.len()];
        let mut todo = self.components(nodes);
        while let Some(component) = todo.pop() {
            let meets = |set: &Vec<bool>| component.iter().any(|&n| set[n as usize]);
            if !self.justice.iter().all(meets) {
                continue;
            }
            let broken = self.compassion.iter().find(|(p, q)| meets(p) && !meets(q));
            match broken {
                None => component.iter().for_each(|&n| found[n as usize] = true),
                Some((p, _)) => {
                    let mut rest = vec![false; nodes.len()];
                    for &n in component.iter().filter(|&&n| !p[n as usize]) {
                        rest[n as usize] = true;
                    }
                    todo.extend(self.components(&rest));
                }
            }
        }
        found
    }

    /// The strongly connected components within `nodes` that have an edge (Kosaraju).
    fn components(&self, nodes: &[bool]) -> Vec<Vec<u32>> {
        let n = nodes.len();
        let next = |v: u32| self.successors[v as usize].iter().copied();
        let inside = |v: &u32| nodes[*v as usize];
        let mut order = Vec::new();
        let mut seen = vec![false; n];
        for root in (0..n as u32).filter(inside) {
            let mut stack = vec![(root, false)];
            while let Some((v, done)) = stack.pop() {
                if done {
                    order.push(v);
                } else if !std::mem::replace(&mut seen[v as usize], true) {
                    stack.push((v, true));
                    stack.extend(next(v).filter(inside).map(|w| (w, false)));
                }
            }
        }
        let mut before = vec![Vec::new(); n];
        for v in (0..n as u32).filter(inside) {
            next(v)
                .filter(inside)
                .for_each(|w| before[w as usize].push(v));
        }
        let mut taken = vec![false; n];
        let mut components = Vec::new();
        for &root in order.iter().rev() {
            let mut component = Vec::new();
            let mut stack = vec![root];
            while let Some(v) = stack.pop() {
                if !std::mem::replace(&mut taken[v as usize], true) {
                    component.push(v);
                    stack.extend(&before[v as usize]);
                }
            }
            let loops = |v: u32| next(v).any(|w| w == v);
            if component.len() > 1 || component.first().is_some_and(|&v| loops(v)) {
                components.push(component);
            }
        }
        components
    }
}
