/* Shared by the files of cudd-mv; not exported. */
#ifndef CMV_INT_H
#define CMV_INT_H

#include <stdint.h>
#include "util.h"
#include "cuddInt.h"
#include "cudd_mv.h"

/* Tags of three-operand cache entries. CUDD 2.5.1 leaves these free: the low
 * digit is one of 2, 6, a, e, the high digit is even (see cuddInt.h). */
#define CMV_TAG_ITE    0xa2
#define CMV_TAG_MEET   0xa6
#define CMV_TAG_JOIN   0xaa
#define CMV_TAG_EXISTS 0xae
#define CMV_TAG_FORALL 0xc2
#define CMV_TAG_AFTER  0xc6
#define CMV_TAG_BEFORE 0xca

/* Names of one- and two-operand cache entries. CUDD puts the address of its
 * function there; bit 63 keeps ours apart from any user-space address. The
 * cache hashes the low 32 bits. */
typedef uint64_t CmvOp;
#define CMV_OP(kind, space, number)                                            \
    ((UINT64_C(1) << 63) | ((uint64_t)(number) << 12) | ((uint64_t)(space) << 8) | \
     ((uint64_t)(kind) << 1))

enum { CMV_NOT = 1, CMV_RESTRICT, CMV_PERMUTE_BDD, CMV_PERMUTE, CMV_APPLY1, CMV_APPLY2, CMV_TEST1,
       CMV_TEST2 };

static inline DdNode *cmv_lookup2(DdManager *dd, CmvOp op, DdNode *f, DdNode *g)
{
    return cuddCacheLookup2(dd, (DD_CTFP)(uintptr_t)op, f, g);
}

static inline void cmv_insert2(DdManager *dd, CmvOp op, DdNode *f, DdNode *g, DdNode *r)
{
    cuddCacheInsert2(dd, (DD_CTFP)(uintptr_t)op, f, g, r);
}

static inline uint64_t cmv_bits(const DdNode *constant)
{
    union { CUDD_VALUE_TYPE value; uint64_t bits; } u;
    u.value = constant->type.value;
    return u.bits;
}

/* Level of a regular node; terminals are below every variable. */
static inline unsigned int cmv_level(const DdManager *dd, const DdNode *n)
{
    return cuddIsConstant(n) ? (unsigned int)CUDD_CONST_INDEX : (unsigned int)dd->perm[n->index];
}

/* Called at every cache miss of ours: CUDD itself looks at the termination
 * callback only when it allocates. Nonzero: give up. */
static inline int cmv_cancelled(DdManager *dd)
{
    if (((unsigned long)dd->cacheMisses & 0x3fff) == 0 && dd->terminationCallback != NULL &&
        dd->terminationCallback(dd->tcbArg)) {
        dd->errorCode = CUDD_TERMINATION;
        return 1;
    }
    return 0;
}

/* Cofactors of a regular valued node with respect to the variable at `level`. */
static inline void cmv_cofactors(const DdManager *dd, DdNode *f, unsigned int level, DdNode **t,
                                 DdNode **e)
{
    if (cmv_level(dd, f) == level) {
        *t = cuddT(f);
        *e = cuddE(f);
    } else {
        *t = *e = f;
    }
}

/* The same for a BDD, complemented or not. */
static inline void cmv_bdd_cofactors(const DdManager *dd, DdNode *b, unsigned int level, DdNode **t,
                                     DdNode **e)
{
    DdNode *regular = Cudd_Regular(b);
    if (cmv_level(dd, regular) == level) {
        *t = Cudd_NotCond(cuddT(regular), regular != b);
        *e = Cudd_NotCond(cuddE(regular), regular != b);
    } else {
        *t = *e = b;
    }
}

/* The node (index, t, e); takes over the caller's references to t and e. */
DdNode *cmv_node(DdManager *dd, unsigned int index, DdNode *t, DdNode *e);
DdNode *cmv_bdd_node(DdManager *dd, unsigned int index, DdNode *t, DdNode *e);

/* Recursive steps used by more than one file. */
DdNode *cmv_ite_step(DdManager *dd, DdNode *b, DdNode *g, DdNode *h);

/* Runs `step`, which sets `result`, until no reordering interferes. */
#define CMV_RESTART(dd, result, step)                                          \
    do {                                                                       \
        (dd)->reordered = 0;                                                   \
        (result) = (step);                                                     \
    } while ((dd)->reordered == 1)

#endif
