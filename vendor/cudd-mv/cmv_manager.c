/* Limits, variable groups, and terminals that hold 64 bits as they are. */
#include "cmv_int.h"
#include "mtr.h"

void cmv_configure(DdManager *dd, const CmvLimits *limits)
{
    if (limits->soft_memory != 0) dd->maxmem = limits->soft_memory;
    if (limits->hard_memory != 0) dd->maxmemhard = limits->hard_memory;
    if (limits->loose_up_to != 0) dd->looseUpTo = limits->loose_up_to;
    if (limits->max_live != 0) dd->maxLive = limits->max_live;
    if (limits->first_reorder != 0) dd->nextDyn = limits->first_reorder;
    if (limits->max_cache != 0) Cudd_SetMaxCacheHard(dd, limits->max_cache);
}

static void keep_running(long bytes)
{
    (void)bytes;
}

void cmv_survive_out_of_memory(void)
{
    extern DD_OOMFP MMoutOfMemory;
    MMoutOfMemory = keep_running;
}

void cmv_collect(DdManager *dd)
{
    (void)cuddGarbageCollect(dd, 1);
}

void cmv_forget(DdManager *dd)
{
    cuddCacheFlush(dd);
}

int cmv_exhausted(const DdManager *dd)
{
    return dd->nextFree == NULL && dd->memused > dd->maxmemhard && dd->dead < dd->keys / 32;
}

void *cmv_callback_argument(DdManager *dd)
{
    return dd->tcbArg;
}

void cmv_set_autodyn(DdManager *dd, int on)
{
    dd->autoDyn = on;
}

/* Sifting reads both bounds again and again: no growth allowed ends the way of
 * one variable, no swaps allowed ends the choice of further variables. */
void cmv_hurry(DdManager *dd)
{
    double growth = 0.0;
    int swaps = 0;
    __atomic_store(&dd->maxGrowth, &growth, __ATOMIC_RELAXED);
    __atomic_store_n(&dd->siftMaxSwap, swaps, __ATOMIC_RELAXED);
}

int cmv_group(DdManager *dd, unsigned int first_index, unsigned int len, int fixed)
{
    return Cudd_MakeTreeNode(dd, first_index, len, fixed ? MTR_FIXED : MTR_DEFAULT) != NULL;
}

void cmv_ungroup(DdManager *dd)
{
    Cudd_FreeTree(dd);
}

/*
 * CUDD's own function for terminals compares doubles with a tolerance, so two
 * words that differ in low bits would become one, and a NaN pattern would never
 * be found again. Here bits are compared. The hash has to be the one CUDD uses
 * when it doubles the table of terminals: over the two halves of the value, the
 * first in memory first.
 *
 * CUDD looks into that table by value only when it makes a terminal itself,
 * which no BDD operation does; collection and rehashing go by reference count
 * and bits. So any pattern is safe, NaN and -0.0 included.
 */
DdNode *cmv_const(DdManager *dd, uint64_t bits)
{
    union { uint64_t bits; CUDD_VALUE_TYPE value; unsigned int half[2]; } u;
    DdSubtable *table = &dd->constants;
    DdNode *node;
    unsigned int slot;

    u.bits = bits;
    slot = ddHash(u.half[0], u.half[1], table->shift);
    for (node = table->nodelist[slot]; node != NULL; node = node->next) {
        if (cmv_bits(node) == bits) {
            if (node->ref == 0) cuddReclaim(dd, node);
            return node;
        }
    }
    if (table->keys > table->maxKeys) cuddRehash(dd, (int)CUDD_CONST_INDEX);
    node = cuddAllocNode(dd);
    if (node == NULL) return NULL;
    /* Only now: rehashing and allocation may collect garbage. */
    slot = ddHash(u.half[0], u.half[1], table->shift);
    node->index = CUDD_CONST_INDEX;
    node->type.value = u.value;
    node->next = table->nodelist[slot];
    table->nodelist[slot] = node;
    dd->keys++;
    table->keys++;
    return node;
}

DdNode *cmv_node(DdManager *dd, unsigned int index, DdNode *t, DdNode *e)
{
    DdNode *r = t == e ? t : cuddUniqueInter(dd, (int)index, t, e);
    if (r == NULL) {
        Cudd_RecursiveDeref(dd, t);
        Cudd_RecursiveDeref(dd, e);
        return NULL;
    }
    cuddDeref(t);
    cuddDeref(e);
    return r;
}

DdNode *cmv_bdd_node(DdManager *dd, unsigned int index, DdNode *t, DdNode *e)
{
    DdNode *r;
    if (t == e) {
        r = t;
    } else {
        /* The then edge is never complemented. */
        int flip = Cudd_IsComplement(t) != 0;
        r = cuddUniqueInter(dd, (int)index, Cudd_NotCond(t, flip), Cudd_NotCond(e, flip));
        if (r == NULL) {
            Cudd_RecursiveDeref(dd, t);
            Cudd_RecursiveDeref(dd, e);
            return NULL;
        }
        r = Cudd_NotCond(r, flip);
    }
    cuddDeref(t);
    cuddDeref(e);
    return r;
}
