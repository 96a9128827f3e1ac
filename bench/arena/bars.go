package main

import "github.com/heapwright/heapwright/bench/arena/work"

// A bar is the most CPU time that the arena may take for a work, as a multiple
// of the plain heap's at GOGC=100 and as a multiple of the floor's. 0 is no bar.
type bar struct {
	title, work, contestant string
	heap, floor             float64
}

var bars = []bar{
	{"binary tree of depth 18, `Slab[T]`", work.Tree, work.Slab, 0.13, 1.4},
	{"binary tree of depth 18, `New[T]`", work.Tree, work.Ours, 0.18, 0},
	{"1,000 × 64 B, `Slab[T]`", work.Small, work.Slab, 0.05, 2},
	{"1,000 × 64 B, `New[T]`", work.Small, work.Ours, 0.05, 2},
	{"the same, walked, `Slab[T]`", work.SmallWalked, work.Slab, 0, 2},
	{"the same, walked, `New[T]`", work.SmallWalked, work.Ours, 0, 2},
	{"1,000 of 5 types, `Slab[T]`", work.Mixed, work.Slab, 0.15, 0},
	{"1,000 of 5 types, `New[T]`", work.Mixed, work.Ours, 0.15, 0},
	{"8 clones of 256 B", work.Clones8x256, work.Ours, 0.08, 1.1},
	{"1 clone of 4 KiB", work.Clones1x4K, work.Ours, 0.045, 1.1},
	{"32 clones of 4 KiB", work.Clones32x4K, work.Ours, 0.05, 1.1},
	{"map of 1,000 keys, grown", work.Map, work.Ours, 0.4, 0},
	{"map of 1,000 keys, sized", work.MapSized, work.Ours, 0.4, 0},
	{"first use: tree, dropped", work.FirstTree, work.Ours, 0.8, 0},
	{"first use: tree, freed", work.FirstTree, work.Freed, 0.8, 0},
	{"first use: 1,000 × 64 B, dropped", work.FirstSmall, work.Ours, 0.8, 0},
	{"first use: 1,000 × 64 B, freed", work.FirstSmall, work.Freed, 0.8, 0},
	{"first use: 1,000 of 5 types, dropped", work.FirstMixed, work.Ours, 0.8, 0},
	{"first use: 1,000 of 5 types, freed", work.FirstMixed, work.Freed, 0.8, 0},
}

// peers are the columns beside the heap and ours.
var peers = []string{heapOff, work.Pool, work.GoArena, work.Ristretto, work.ByteBuffer, work.Floor, work.Cleared}
