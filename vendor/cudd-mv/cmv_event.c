/* Images under events: relations that change few variables and leave the others
 * as they are, so that neither identities nor a renaming of all variables is
 * needed. The next bit of the variable with index i has index i + 1 and stands
 * right below it. */
#include "cmv_int.h"

typedef struct Event {
    DdManager *dd;
    unsigned long tag;
    int backward;
} Event;

static DdNode *event_step(Event *m, DdNode *set, DdNode *rel, DdNode *cube);

/* step(s1, r1) | step(s2, r2), referenced; NULL on failure. */
static DdNode *join_of_steps(Event *m, DdNode *s1, DdNode *r1, DdNode *s2, DdNode *r2,
                             DdNode *cube)
{
    DdManager *dd = m->dd;
    DdNode *a, *b, *r;

    a = event_step(m, s1, r1, cube);
    if (a == NULL) return NULL;
    cuddRef(a);
    if (a == DD_ONE(dd)) return a;
    b = event_step(m, s2, r2, cube);
    if (b == NULL) {
        Cudd_RecursiveDeref(dd, a);
        return NULL;
    }
    cuddRef(b);
    r = cuddBddAndRecur(dd, Cudd_Not(a), Cudd_Not(b));
    if (r != NULL) {
        r = Cudd_Not(r);
        cuddRef(r);
    }
    Cudd_RecursiveDeref(dd, a);
    Cudd_RecursiveDeref(dd, b);
    return r;
}

static DdNode *event_step(Event *m, DdNode *set, DdNode *rel, DdNode *cube)
{
    DdManager *dd = m->dd;
    DdNode *one = DD_ONE(dd), *zero = Cudd_Not(one);
    DdNode *s1, *s0, *r1, *r0, *t, *e, *r, *below;
    unsigned int level, l;
    int changed;

    if (set == zero || rel == zero) return zero;
    if (cube == one) return cuddBddAndRecur(dd, set, rel);
    if (set == one && rel == one) return one;
    r = cuddCacheLookup(dd, m->tag, set, rel, cube);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;

    level = cmv_level(dd, cube);
    changed = 1;
    l = cmv_level(dd, Cudd_Regular(set));
    if (l < level) { level = l; changed = 0; }
    l = cmv_level(dd, Cudd_Regular(rel));
    if (l < level) { level = l; changed = 0; }
    cmv_bdd_cofactors(dd, set, level, &s1, &s0);
    cmv_bdd_cofactors(dd, rel, level, &r1, &r0);
    if (!changed) {
        t = event_step(m, s1, r1, cube);
        if (t == NULL) return NULL;
        cuddRef(t);
        e = event_step(m, s0, r0, cube);
        if (e != NULL) cuddRef(e);
    } else {
        DdNode *r11, *r10, *r01, *r00;
        cmv_bdd_cofactors(dd, r1, level + 1, &r11, &r10);
        cmv_bdd_cofactors(dd, r0, level + 1, &r01, &r00);
        below = cuddT(cube);
        if (m->backward) {
            t = join_of_steps(m, s1, r11, s0, r10, below);
            if (t == NULL) return NULL;
            e = join_of_steps(m, s1, r01, s0, r00, below);
        } else {
            t = join_of_steps(m, s1, r11, s0, r01, below);
            if (t == NULL) return NULL;
            e = join_of_steps(m, s1, r10, s0, r00, below);
        }
    }
    if (e == NULL) {
        Cudd_RecursiveDeref(dd, t);
        return NULL;
    }
    r = cmv_bdd_node(dd, (unsigned int)dd->invperm[level], t, e);
    if (r != NULL) cuddCacheInsert(dd, m->tag, set, rel, cube, r);
    return r;
}

DdNode *cmv_event_image(DdManager *dd, DdNode *set, DdNode *rel, DdNode *cube, int backward)
{
    Event m = { dd, backward ? CMV_TAG_BEFORE : CMV_TAG_AFTER, backward };
    DdNode *r;
    CMV_RESTART(dd, r, event_step(&m, set, rel, cube));
    return r;
}
