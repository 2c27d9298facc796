/*
 * cudd-mv: multi-valued operators on CUDD internals.
 *
 * Diagrams here are CUDD ADDs whose terminals hold 64 bits as they are (never
 * read as a floating-point number), side by side with ordinary BDDs in one
 * manager. A diagram over terminals is called "valued" below; `b`, `rel`,
 * `care` are BDDs (complement edges allowed), `f`, `g`, `h` are valued.
 *
 * Conventions, those of CUDD's own exported functions:
 *  - results come back unreferenced; the caller references them at once;
 *  - NULL means exhaustion, cancellation or a failed reordering: the reason is
 *    in the manager's error code, nothing stays referenced;
 *  - a dynamic reordering in the middle restarts the operation.
 */
#ifndef CUDD_MV_H
#define CUDD_MV_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "cudd.h"

/* Tuning beyond what CUDD's own interface reaches; 0 leaves a value alone. */
typedef struct CmvLimits {
    unsigned long soft_memory;  /* bytes above which tables stop growing eagerly */
    unsigned long hard_memory;  /* bytes above which allocation fails */
    unsigned int max_cache;     /* entries of the computed table */
    unsigned int loose_up_to;   /* hash slots up to which the unique table grows fast */
    unsigned int max_live;      /* live nodes above which allocation fails */
    unsigned int first_reorder; /* nodes at which automatic reordering starts */
} CmvLimits;

void cmv_configure(DdManager *dd, const CmvLimits *limits);

/* CUDD's default handler ends the process when malloc fails; ours returns. */
void cmv_survive_out_of_memory(void);

/* Collects garbage now. */
void cmv_collect(DdManager *dd);

/* Forgets all results in the computed table. */
void cmv_forget(DdManager *dd);

/* Over the memory limit, with no free nodes and little garbage to collect? CUDD
 * would go on collecting for a handful of nodes each time. */
int cmv_exhausted(const DdManager *dd);

/* The argument registered with the termination callback. */
void *cmv_callback_argument(DdManager *dd);

/* Puts the automatic-reordering flag back after CUDD cleared it on a cancel. */
void cmv_set_autodyn(DdManager *dd, int on);

/* Makes a reordering that is under way on another thread finish early: the
 * order it leaves is a valid one. The bounds of sifting stay changed. */
void cmv_hurry(DdManager *dd);

/* Variable groups for reordering. */
int cmv_group(DdManager *dd, unsigned int first_index, unsigned int len, int fixed);
void cmv_ungroup(DdManager *dd);

/* The terminal that holds exactly `bits`. */
DdNode *cmv_const(DdManager *dd, uint64_t bits);

/* b ? g : h */
DdNode *cmv_ite(DdManager *dd, DdNode *b, DdNode *g, DdNode *h);

/* f simplified where care is false (sibling substitution). */
DdNode *cmv_restrict(DdManager *dd, DdNode *f, DdNode *care);

/* Renames variable i to map[i] for i < len; `id` names the map in the cache. */
DdNode *cmv_bdd_permute(DdManager *dd, DdNode *b, const int *map, unsigned int len, uint32_t id);
DdNode *cmv_permute(DdManager *dd, DdNode *f, const int *map, unsigned int len, uint32_t id);

/* The states that `rel` leads to from `set`, or (`backward`) from which it leads into it. `cube` holds
 * the current bits of what `rel` changes, over which alone it has next bits; all else stays as
 * it is. Next bits follow their current bits in index and level. */
DdNode *cmv_event_image(DdManager *dd, DdNode *set, DdNode *rel, DdNode *cube, int backward);

/* Leaf-wise operators. `op` names the operator in the cache: same op, same
 * operands, same result. `space` keeps name spaces of callers apart (0..15). */
typedef uint64_t (*cmv_leaf1)(void *context, uint64_t a);
typedef uint64_t (*cmv_leaf2)(void *context, uint64_t a, uint64_t b);
DdNode *cmv_apply1(DdManager *dd, DdNode *f, unsigned int space, uint32_t op, cmv_leaf1 leaf,
                   void *context);
DdNode *cmv_apply2(DdManager *dd, DdNode *f, DdNode *g, unsigned int space, uint32_t op,
                   cmv_leaf2 leaf, void *context);
/* The same with a BDD as result: leaves map to zero (false) and nonzero (true). */
DdNode *cmv_test1(DdManager *dd, DdNode *f, unsigned int space, uint32_t op, cmv_leaf1 leaf,
                  void *context);
DdNode *cmv_test2(DdManager *dd, DdNode *f, DdNode *g, unsigned int space, uint32_t op,
                  cmv_leaf2 leaf, void *context);

/* Vacuity words. Bit 0 is the truth value; `mask` (bit 0 clear) tells which
 * other bits follow the product lattice. */
uint64_t cmv_word_meet(uint64_t a, uint64_t b, uint64_t mask);
uint64_t cmv_word_join(uint64_t a, uint64_t b, uint64_t mask);
DdNode *cmv_not(DdManager *dd, DdNode *f);
/* Meet (or join) of two diagrams; `mask` as a terminal, which a handle keeps. */
DdNode *cmv_meet(DdManager *dd, DdNode *f, DdNode *g, DdNode *mask);
DdNode *cmv_join(DdManager *dd, DdNode *f, DdNode *g, DdNode *mask);

/* Meet and join of all terminals of f. */
void cmv_bounds(DdNode *f, uint64_t mask, uint64_t *lower, uint64_t *upper);

/* The variables of a BDD cube as a valued cube that ends in the terminal
 * `end` (not 0): puts a cube and a number into one cache key. */
DdNode *cmv_cube(DdManager *dd, DdNode *cube, uint64_t end);

/* Join over the variables of `cube` of (rel ? f : outside), resp. the meet.
 * `valued_cube` was made from `cube` with a number that stands for the pair
 * (mask, outside). For the join, outside must be below the meet of all
 * terminals of f; for the meet, above their join. */
DdNode *cmv_join_exists(DdManager *dd, DdNode *rel, DdNode *f, DdNode *cube, DdNode *valued_cube,
                        uint64_t mask, uint64_t outside);
DdNode *cmv_meet_forall(DdManager *dd, DdNode *rel, DdNode *f, DdNode *cube, DdNode *valued_cube,
                        uint64_t mask, uint64_t outside);

#endif
