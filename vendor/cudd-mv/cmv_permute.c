/* Renaming of variables with results kept in the computed table under the name
 * of the map. (CUDD's own permutation keeps a private table for each call, and
 * its variable map is one per manager and clears the cache when changed.) */
#include "cmv_int.h"

typedef struct Renaming {
    DdManager *dd;
    const int *map;
    unsigned int len;
    CmvOp op;
    int boolean;
} Renaming;

static DdNode *permute_step(Renaming *m, DdNode *f)
{
    DdManager *dd = m->dd;
    DdNode *regular = Cudd_Regular(f), *r, *t, *e;
    unsigned int index;

    if (cuddIsConstant(regular)) return f;
    r = cmv_lookup2(dd, m->op, regular, regular);
    if (r != NULL) return Cudd_NotCond(r, regular != f);
    if (cmv_cancelled(dd)) return NULL;

    t = permute_step(m, cuddT(regular));
    if (t == NULL) return NULL;
    cuddRef(t);
    e = permute_step(m, cuddE(regular));
    if (e == NULL) {
        Cudd_RecursiveDeref(dd, t);
        return NULL;
    }
    cuddRef(e);
    index = regular->index < m->len ? (unsigned int)m->map[regular->index] : regular->index;
    if ((unsigned int)dd->perm[index] < cmv_level(dd, Cudd_Regular(t)) &&
        (unsigned int)dd->perm[index] < cmv_level(dd, Cudd_Regular(e))) {
        r = m->boolean ? cmv_bdd_node(dd, index, t, e) : cmv_node(dd, index, t, e);
    } else {
        r = m->boolean ? cuddBddIteRecur(dd, dd->vars[index], t, e)
                       : cmv_ite_step(dd, dd->vars[index], t, e);
        if (r == NULL) {
            Cudd_RecursiveDeref(dd, t);
            Cudd_RecursiveDeref(dd, e);
            return NULL;
        }
        cuddRef(r);
        Cudd_RecursiveDeref(dd, t);
        Cudd_RecursiveDeref(dd, e);
        cuddDeref(r);
    }
    if (r == NULL) return NULL;
    cmv_insert2(dd, m->op, regular, regular, r);
    return Cudd_NotCond(r, regular != f);
}

DdNode *cmv_bdd_permute(DdManager *dd, DdNode *b, const int *map, unsigned int len, uint32_t id)
{
    Renaming m = { dd, map, len, CMV_OP(CMV_PERMUTE_BDD, 0, id), 1 };
    DdNode *r;
    CMV_RESTART(dd, r, permute_step(&m, b));
    return r;
}

DdNode *cmv_permute(DdManager *dd, DdNode *f, const int *map, unsigned int len, uint32_t id)
{
    Renaming m = { dd, map, len, CMV_OP(CMV_PERMUTE, 0, id), 0 };
    DdNode *r;
    CMV_RESTART(dd, r, permute_step(&m, f));
    return r;
}
