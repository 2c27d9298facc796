use super::*;
use crate::base::CancelToken;
use crate::dd::Config;

fn manager(vars: u32) -> Manager {
    let m = Manager::new(&Config::default(), CancelToken::default()).expect("a manager");
    for _ in 0..vars {
        m.new_var().expect("a variable");
    }
    m
}

/// Conjunction of the variables.
fn all(m: &Manager, vars: &[VarIndex]) -> Bdd {
    m.cube(vars).expect("small")
}

fn supports(clusters: &[Bdd]) -> Vec<Vec<VarIndex>> {
    clusters.iter().map(Bdd::support).collect()
}

#[test]
fn most_common_variables_join_first() {
    let m = manager(8);
    // Each has four nodes: two of them join, and then nothing more.
    let diagrams = vec![
        all(&m, &[0, 1, 2]),
        all(&m, &[3, 4, 5]),
        all(&m, &[1, 2, 6]),
    ];
    let by_affinity = affinity::join(diagrams.clone(), 4).expect("small");
    assert_eq!(supports(&by_affinity), [vec![0, 1, 2, 6], vec![3, 4, 5]]);
    let neighbours = threshold::join(diagrams.clone(), 4).expect("small");
    assert_eq!(
        supports(&neighbours),
        [vec![0, 1, 2, 3, 4, 5], vec![1, 2, 6]]
    );
    // Nothing is within the limit: nothing joins. All is: one is left.
    assert_eq!(affinity::join(diagrams.clone(), 3).expect("small").len(), 3);
    assert_eq!(affinity::join(diagrams, 100).expect("small").len(), 1);
}

#[test]
fn clusters_mean_the_same_whatever_the_choice() {
    let m = manager(12);
    let conjuncts: Vec<Bdd> = (0..10)
        .map(|i| {
            m.var(i)
                .xor(&all(&m, &[(i + 1) % 12, (i * 5 + 2) % 12]))
                .expect("small")
        })
        .collect();
    let meaning = |clusters: &[Bdd]| {
        clusters
            .iter()
            .fold(m.one(), |all, c| all.and(c).expect("small"))
    };
    let expected = meaning(&conjuncts);
    for limit in [0, 5, 12, 1000] {
        for partition in [
            Partition::Monolithic,
            Partition::Threshold(limit),
            Partition::Iwls95(limit),
        ] {
            for (affinity, preorder) in [(false, false), (false, true), (true, false), (true, true)]
            {
                let choice = Clustering {
                    partition,
                    affinity,
                    preorder,
                    weights: Weights::default(),
                };
                let clusters = choice
                    .clusters(&m, conjuncts.clone(), &[0, 1, 2, 3])
                    .expect("small");
                assert_eq!(meaning(&clusters), expected, "{choice:?}");
            }
        }
    }
}

#[test]
fn what_lets_variables_leave_comes_first() {
    let m = manager(6);
    // 0 and 1 are quantified; only the last diagram holds 0 alone.
    let diagrams = [all(&m, &[1, 2]), all(&m, &[1, 3]), all(&m, &[0, 4])];
    let by = |weights: [i32; 4]| order(&m, &diagrams, &[0, 1], &Weights(weights));
    assert_eq!(by([6, 1, 1, 2]), [2, 0, 1]);
    // Without weights the order stays; new variables count against a diagram.
    assert_eq!(by([0, 0, 0, 0]), [0, 1, 2]);
    let diagrams = [all(&m, &[1, 2, 3]), all(&m, &[1, 3])];
    assert_eq!(
        order(&m, &diagrams, &[0, 1], &Weights([0, 0, 1, 0])),
        [1, 0]
    );
}
