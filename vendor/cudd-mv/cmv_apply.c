/* If-then-else, leaf-wise operators, tests and restriction of valued diagrams. */
#include "cmv_int.h"

DdNode *cmv_ite_step(DdManager *dd, DdNode *b, DdNode *g, DdNode *h)
{
    DdNode *one = DD_ONE(dd), *r, *t, *e, *bt, *be, *gt, *ge, *ht, *he;
    unsigned int level, lb, lg, lh, index;

    if (b == one || g == h) return g;
    if (b == Cudd_Not(one)) return h;
    if (Cudd_IsComplement(b)) {
        DdNode *swap = g;
        b = Cudd_Regular(b);
        g = h;
        h = swap;
    }
    lb = cmv_level(dd, b);
    lg = cmv_level(dd, g);
    lh = cmv_level(dd, h);
    level = ddMin(lb, ddMin(lg, lh));
    if (lb < lg && lb < lh && cuddT(b) == one && cuddE(b) == Cudd_Not(one))
        return cuddUniqueInter(dd, (int)b->index, g, h);

    r = cuddCacheLookup(dd, CMV_TAG_ITE, b, g, h);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;

    index = (unsigned int)dd->invperm[level];
    cmv_bdd_cofactors(dd, b, level, &bt, &be);
    cmv_cofactors(dd, g, level, &gt, &ge);
    cmv_cofactors(dd, h, level, &ht, &he);
    t = cmv_ite_step(dd, bt, gt, ht);
    if (t == NULL) return NULL;
    cuddRef(t);
    e = cmv_ite_step(dd, be, ge, he);
    if (e == NULL) {
        Cudd_RecursiveDeref(dd, t);
        return NULL;
    }
    cuddRef(e);
    r = cmv_node(dd, index, t, e);
    if (r != NULL) cuddCacheInsert(dd, CMV_TAG_ITE, b, g, h, r);
    return r;
}

DdNode *cmv_ite(DdManager *dd, DdNode *b, DdNode *g, DdNode *h)
{
    DdNode *r;
    CMV_RESTART(dd, r, cmv_ite_step(dd, b, g, h));
    return r;
}

/* One walk serves apply and test, of one operand (g == f, leaf1) and of two. */
typedef struct Walk {
    DdManager *dd;
    CmvOp op;
    int boolean;
    cmv_leaf1 leaf1;
    cmv_leaf2 leaf2;
    void *context;
} Walk;

static DdNode *leaf(Walk *w, DdNode *f, DdNode *g)
{
    uint64_t bits = w->leaf1 != NULL ? w->leaf1(w->context, cmv_bits(f))
                                     : w->leaf2(w->context, cmv_bits(f), cmv_bits(g));
    if (w->boolean) return Cudd_NotCond(DD_ONE(w->dd), bits == 0);
    return cmv_const(w->dd, bits);
}

static DdNode *walk_step(Walk *w, DdNode *f, DdNode *g)
{
    DdManager *dd = w->dd;
    DdNode *r, *t, *e, *ft, *fe, *gt, *ge;
    unsigned int level, lf, lg;

    r = cmv_lookup2(dd, w->op, f, g);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;

    lf = cmv_level(dd, f);
    lg = cmv_level(dd, g);
    level = ddMin(lf, lg);
    if (level == CUDD_CONST_INDEX) {
        r = leaf(w, f, g);
    } else {
        unsigned int index = (unsigned int)dd->invperm[level];
        cmv_cofactors(dd, f, level, &ft, &fe);
        cmv_cofactors(dd, g, level, &gt, &ge);
        t = walk_step(w, ft, gt);
        if (t == NULL) return NULL;
        cuddRef(t);
        e = walk_step(w, fe, ge);
        if (e == NULL) {
            Cudd_RecursiveDeref(dd, t);
            return NULL;
        }
        cuddRef(e);
        r = w->boolean ? cmv_bdd_node(dd, index, t, e) : cmv_node(dd, index, t, e);
    }
    if (r != NULL) cmv_insert2(dd, w->op, f, g, r);
    return r;
}

static DdNode *walk(Walk *w, DdNode *f, DdNode *g)
{
    DdNode *r;
    CMV_RESTART(w->dd, r, walk_step(w, f, g));
    return r;
}

DdNode *cmv_apply1(DdManager *dd, DdNode *f, unsigned int space, uint32_t op, cmv_leaf1 leaf1,
                   void *context)
{
    Walk w = { dd, CMV_OP(CMV_APPLY1, space, op), 0, leaf1, NULL, context };
    return walk(&w, f, f);
}

DdNode *cmv_apply2(DdManager *dd, DdNode *f, DdNode *g, unsigned int space, uint32_t op,
                   cmv_leaf2 leaf2, void *context)
{
    Walk w = { dd, CMV_OP(CMV_APPLY2, space, op), 0, NULL, leaf2, context };
    return walk(&w, f, g);
}

DdNode *cmv_test1(DdManager *dd, DdNode *f, unsigned int space, uint32_t op, cmv_leaf1 leaf1,
                  void *context)
{
    Walk w = { dd, CMV_OP(CMV_TEST1, space, op), 1, leaf1, NULL, context };
    return walk(&w, f, f);
}

DdNode *cmv_test2(DdManager *dd, DdNode *f, DdNode *g, unsigned int space, uint32_t op,
                  cmv_leaf2 leaf2, void *context)
{
    Walk w = { dd, CMV_OP(CMV_TEST2, space, op), 1, NULL, leaf2, context };
    return walk(&w, f, g);
}

/* Coudert and Madre, ICCAD 1990: where one cofactor of the care set is empty,
 * the variable disappears from f. */
static DdNode *restrict_step(DdManager *dd, DdNode *f, DdNode *care)
{
    const CmvOp op = CMV_OP(CMV_RESTRICT, 0, 0);
    DdNode *one = DD_ONE(dd), *zero = Cudd_Not(one);
    DdNode *r, *t, *e, *ft, *fe, *ct, *ce;
    unsigned int lf = cmv_level(dd, f), lc;

    if (care == one || care == zero || cuddIsConstant(f)) return f;
    r = cmv_lookup2(dd, op, care, f);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;

    lc = cmv_level(dd, Cudd_Regular(care));
    if (lc < lf) {
        /* f does not depend on the variable: quantify it in the care set. */
        DdNode *wider;
        cmv_bdd_cofactors(dd, care, lc, &ct, &ce);
        wider = cuddBddAndRecur(dd, Cudd_Not(ct), Cudd_Not(ce));
        if (wider == NULL) return NULL;
        wider = Cudd_Not(wider);
        cuddRef(wider);
        r = restrict_step(dd, f, wider);
        if (r == NULL) {
            Cudd_IterDerefBdd(dd, wider);
            return NULL;
        }
        cuddRef(r);
        Cudd_IterDerefBdd(dd, wider);
        cuddDeref(r);
    } else {
        unsigned int index = f->index;
        cmv_cofactors(dd, f, lf, &ft, &fe);
        cmv_bdd_cofactors(dd, care, lf, &ct, &ce);
        if (ct == zero) {
            r = restrict_step(dd, fe, ce);
            if (r == NULL) return NULL;
        } else if (ce == zero) {
            r = restrict_step(dd, ft, ct);
            if (r == NULL) return NULL;
        } else {
            t = restrict_step(dd, ft, ct);
            if (t == NULL) return NULL;
            cuddRef(t);
            e = restrict_step(dd, fe, ce);
            if (e == NULL) {
                Cudd_RecursiveDeref(dd, t);
                return NULL;
            }
            cuddRef(e);
            r = cmv_node(dd, index, t, e);
            if (r == NULL) return NULL;
        }
    }
    cmv_insert2(dd, op, care, f, r);
    return r;
}

DdNode *cmv_restrict(DdManager *dd, DdNode *f, DdNode *care)
{
    DdNode *r;
    CMV_RESTART(dd, r, restrict_step(dd, f, care));
    return r;
}
