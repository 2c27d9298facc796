/*
 * Vacuity words: meet, join, not, and the two quantifiers with a relation.
 *
 * A word has its truth value t in bit 0. An ordinary bit is set when the atom
 * matters. A bit under the mask stands for the witness value t xor bit.
 * Where both operands have the same truth value the two kinds agree: meet of
 * two true words and join of two false ones is bitwise or, the other two are
 * bitwise and. They differ in the mixed case only; see the two functions.
 */
#include "cmv_int.h"

#define TOP    UINT64_C(1)
#define BOTTOM UINT64_C(0)

uint64_t cmv_word_meet(uint64_t a, uint64_t b, uint64_t mask)
{
    if (((a ^ b) & 1) == 0) return (a & 1) ? a | b : a & b;
    /* Mixed: the false word; under the mask the witness values are conjoined,
     * and the true word's witness value is the complement of its bit. */
    return (a & 1) ? b & ~(a & mask) : a & ~(b & mask);
}

uint64_t cmv_word_join(uint64_t a, uint64_t b, uint64_t mask)
{
    if (((a ^ b) & 1) == 0) return (a & 1) ? a & b : a | b;
    return (a & 1) ? a & ~(b & mask) : b & ~(a & mask);
}

static void mark(DdNode *f, uint64_t mask, uint64_t *lower, uint64_t *upper)
{
    if (Cudd_IsComplement(f->next)) return;
    f->next = Cudd_Not(f->next);
    if (cuddIsConstant(f)) {
        *lower = cmv_word_meet(*lower, cmv_bits(f), mask);
        *upper = cmv_word_join(*upper, cmv_bits(f), mask);
    } else {
        mark(cuddT(f), mask, lower, upper);
        mark(cuddE(f), mask, lower, upper);
    }
}

static void unmark(DdNode *f)
{
    if (!Cudd_IsComplement(f->next)) return;
    f->next = Cudd_Regular(f->next);
    if (cuddIsConstant(f)) return;
    unmark(cuddT(f));
    unmark(cuddE(f));
}

/* Visited nodes carry a mark in their collision link, as in CUDD's own walks. */
void cmv_bounds(DdNode *f, uint64_t mask, uint64_t *lower, uint64_t *upper)
{
    *lower = TOP;
    *upper = BOTTOM;
    mark(f, mask, lower, upper);
    unmark(f);
}

/* What a recursion carries along. All words that occur lie between the terminals
 * lower and upper. So for a join, lower is neutral and upper absorbs (for a
 * meet the other way round): words that range over two values only cost no more
 * than a BDD. The tighter the bounds, the earlier a recursion ends; results do
 * not depend on them. */
typedef struct Words {
    DdManager *dd;
    uint64_t mask;
    DdNode *mask_node;
    DdNode *lower;
    DdNode *upper;
} Words;

/* The three terminals stay referenced while a Words is open. */
static int words_open(Words *w, DdManager *dd, uint64_t mask, uint64_t lower, uint64_t upper)
{
    w->dd = dd;
    w->mask = mask;
    w->lower = cmv_const(dd, lower);
    if (w->lower == NULL) return 0;
    cuddRef(w->lower);
    w->upper = cmv_const(dd, upper);
    if (w->upper == NULL) {
        Cudd_RecursiveDeref(dd, w->lower);
        return 0;
    }
    cuddRef(w->upper);
    w->mask_node = cmv_const(dd, mask);
    if (w->mask_node == NULL) {
        Cudd_RecursiveDeref(dd, w->lower);
        Cudd_RecursiveDeref(dd, w->upper);
        return 0;
    }
    cuddRef(w->mask_node);
    return 1;
}

static void words_close(Words *w)
{
    Cudd_RecursiveDeref(w->dd, w->lower);
    Cudd_RecursiveDeref(w->dd, w->upper);
    Cudd_RecursiveDeref(w->dd, w->mask_node);
}

/* meet != 0: meet, else join. */
static DdNode *combine_step(Words *w, int meet, DdNode *f, DdNode *g)
{
    DdManager *dd = w->dd;
    DdNode *unit = meet ? w->upper : w->lower;
    DdNode *absorber = meet ? w->lower : w->upper;
    const ptruint tag = meet ? CMV_TAG_MEET : CMV_TAG_JOIN;
    DdNode *r, *t, *e, *ft, *fe, *gt, *ge;
    unsigned int level, lf, lg, index;

    if (f == g || g == unit) return f;
    if (f == unit) return g;
    if (f == absorber || g == absorber) return absorber;
    lf = cmv_level(dd, f);
    lg = cmv_level(dd, g);
    level = ddMin(lf, lg);
    if (level == CUDD_CONST_INDEX) {
        uint64_t a = cmv_bits(f), b = cmv_bits(g);
        uint64_t c = meet ? cmv_word_meet(a, b, w->mask) : cmv_word_join(a, b, w->mask);
        return c == a ? f : c == b ? g : cmv_const(dd, c);
    }
    if (f > g) {
        DdNode *swap = f;
        f = g;
        g = swap;
    }
    r = cuddCacheLookup(dd, tag, f, g, w->mask_node);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;

    index = (unsigned int)dd->invperm[level];
    cmv_cofactors(dd, f, level, &ft, &fe);
    cmv_cofactors(dd, g, level, &gt, &ge);
    t = combine_step(w, meet, ft, gt);
    if (t == NULL) return NULL;
    cuddRef(t);
    e = combine_step(w, meet, fe, ge);
    if (e == NULL) {
        Cudd_RecursiveDeref(dd, t);
        return NULL;
    }
    cuddRef(e);
    r = cmv_node(dd, index, t, e);
    if (r != NULL) cuddCacheInsert(dd, tag, f, g, w->mask_node, r);
    return r;
}

static DdNode *combine(DdManager *dd, int meet, DdNode *f, DdNode *g, DdNode *mask_node)
{
    uint64_t mask = cmv_bits(mask_node), flo, fhi, glo, ghi;
    Words w;
    DdNode *r;
    cmv_bounds(f, mask, &flo, &fhi);
    cmv_bounds(g, mask, &glo, &ghi);
    if (!words_open(&w, dd, mask, cmv_word_meet(flo, glo, mask), cmv_word_join(fhi, ghi, mask)))
        return NULL;
    CMV_RESTART(dd, r, combine_step(&w, meet, f, g));
    if (r != NULL) cuddRef(r);
    words_close(&w);
    if (r != NULL) cuddDeref(r);
    return r;
}

DdNode *cmv_meet(DdManager *dd, DdNode *f, DdNode *g, DdNode *mask)
{
    return combine(dd, 1, f, g, mask);
}

DdNode *cmv_join(DdManager *dd, DdNode *f, DdNode *g, DdNode *mask)
{
    return combine(dd, 0, f, g, mask);
}

static DdNode *not_step(DdManager *dd, DdNode *f)
{
    const CmvOp op = CMV_OP(CMV_NOT, 0, 0);
    DdNode *r, *t, *e;

    if (cuddIsConstant(f)) return cmv_const(dd, cmv_bits(f) ^ 1);
    r = cmv_lookup2(dd, op, f, f);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;
    t = not_step(dd, cuddT(f));
    if (t == NULL) return NULL;
    cuddRef(t);
    e = not_step(dd, cuddE(f));
    if (e == NULL) {
        Cudd_RecursiveDeref(dd, t);
        return NULL;
    }
    cuddRef(e);
    r = cmv_node(dd, f->index, t, e);
    if (r == NULL) return NULL;
    cmv_insert2(dd, op, f, f, r);
    cmv_insert2(dd, op, r, r, f);
    return r;
}

DdNode *cmv_not(DdManager *dd, DdNode *f)
{
    DdNode *r;
    CMV_RESTART(dd, r, not_step(dd, f));
    return r;
}

/* The valued cube: (x1 ? (x2 ? ... end : 0) : 0); end differs from the else side. */
static DdNode *cube_step(DdManager *dd, DdNode *cube, DdNode *end, DdNode *bottom)
{
    DdNode *t;
    if (cuddIsConstant(Cudd_Regular(cube))) return end;
    t = cube_step(dd, cuddT(cube), end, bottom);
    if (t == NULL) return NULL;
    cuddRef(t);
    cuddRef(bottom);
    return cmv_node(dd, cube->index, t, bottom);
}

DdNode *cmv_cube(DdManager *dd, DdNode *cube, uint64_t end_bits)
{
    DdNode *bottom = DD_ZERO(dd), *end, *r;
    end = cmv_const(dd, end_bits);
    if (end == NULL) return NULL;
    cuddRef(end);
    CMV_RESTART(dd, r, cube_step(dd, cube, end, bottom));
    if (r != NULL) cuddRef(r);
    Cudd_RecursiveDeref(dd, end);
    if (r != NULL) cuddDeref(r);
    return r;
}

/*
 * One recursion down relation, operand and cube:
 *   forall = 0:  join over the cube of (rel ? f : lower)
 *   forall = 1:  meet over the cube of (rel ? f : upper)
 * The value outside the relation is part of the result, so it is one of the
 * bounds here. `vcube` stands for it and for the mask in the cache key; `cube`
 * is the same variables as a BDD and moves with it. A constant operand makes
 * the whole a two-valued problem: CUDD quantifies the relation (combination is
 * idempotent).
 */
static DdNode *quantify_step(Words *w, int forall, DdNode *rel, DdNode *f, DdNode *cube,
                             DdNode *vcube)
{
    DdManager *dd = w->dd;
    DdNode *one = DD_ONE(dd);
    DdNode *unit = forall ? w->upper : w->lower;
    DdNode *absorber = forall ? w->lower : w->upper;
    const ptruint tag = forall ? CMV_TAG_FORALL : CMV_TAG_EXISTS;
    DdNode *r, *t, *e, *rt, *re, *ft, *fe, *sub, *vsub;
    unsigned int level, lr, lf, index;
    int quantified;

    if (f == unit || rel == Cudd_Not(one)) return unit;
    lr = cmv_level(dd, Cudd_Regular(rel));
    lf = cmv_level(dd, f);
    level = ddMin(lr, lf);
    if (level == CUDD_CONST_INDEX) return f; /* rel is one here */
    while (!cuddIsConstant(vcube) && (unsigned int)dd->perm[vcube->index] < level) {
        vcube = cuddT(vcube);
        cube = cuddT(cube);
    }
    if (cuddIsConstant(vcube)) return cmv_ite_step(dd, rel, f, unit);
    if (lf == CUDD_CONST_INDEX) {
        e = cuddBddExistAbstractRecur(dd, rel, cube);
        if (e == NULL) return NULL;
        cuddRef(e);
        r = cmv_ite_step(dd, e, f, unit);
        if (r != NULL) cuddRef(r);
        Cudd_IterDerefBdd(dd, e);
        if (r != NULL) cuddDeref(r);
        return r;
    }
    r = cuddCacheLookup(dd, tag, rel, f, vcube);
    if (r != NULL) return r;
    if (cmv_cancelled(dd)) return NULL;

    index = (unsigned int)dd->invperm[level];
    quantified = vcube->index == index;
    sub = quantified ? cuddT(cube) : cube;
    vsub = quantified ? cuddT(vcube) : vcube;
    cmv_bdd_cofactors(dd, rel, level, &rt, &re);
    cmv_cofactors(dd, f, level, &ft, &fe);
    t = quantify_step(w, forall, rt, ft, sub, vsub);
    if (t == NULL) return NULL;
    if (quantified && t == absorber) {
        cuddCacheInsert(dd, tag, rel, f, vcube, t);
        return t;
    }
    cuddRef(t);
    e = quantify_step(w, forall, re, fe, sub, vsub);
    if (e == NULL) {
        Cudd_RecursiveDeref(dd, t);
        return NULL;
    }
    cuddRef(e);
    if (quantified) {
        r = combine_step(w, forall, t, e);
        if (r != NULL) cuddRef(r);
        Cudd_RecursiveDeref(dd, t);
        Cudd_RecursiveDeref(dd, e);
        if (r == NULL) return NULL;
        cuddDeref(r);
    } else {
        r = cmv_node(dd, index, t, e);
        if (r == NULL) return NULL;
    }
    cuddCacheInsert(dd, tag, rel, f, vcube, r);
    return r;
}

static DdNode *quantify(DdManager *dd, int forall, DdNode *rel, DdNode *f, DdNode *cube,
                        DdNode *vcube, uint64_t mask, uint64_t outside)
{
    uint64_t lower, upper;
    DdNode *r;
    Words w;
    cmv_bounds(f, mask, &lower, &upper);
    if (!words_open(&w, dd, mask, forall ? lower : outside, forall ? outside : upper)) return NULL;
    CMV_RESTART(dd, r, quantify_step(&w, forall, rel, f, cube, vcube));
    if (r != NULL) cuddRef(r);
    words_close(&w);
    if (r != NULL) cuddDeref(r);
    return r;
}

DdNode *cmv_join_exists(DdManager *dd, DdNode *rel, DdNode *f, DdNode *cube, DdNode *valued_cube,
                        uint64_t mask, uint64_t outside)
{
    return quantify(dd, 0, rel, f, cube, valued_cube, mask, outside);
}

DdNode *cmv_meet_forall(DdManager *dd, DdNode *rel, DdNode *f, DdNode *cube, DdNode *valued_cube,
                        uint64_t mask, uint64_t outside)
{
    return quantify(dd, 1, rel, f, cube, valued_cube, mask, outside);
}
