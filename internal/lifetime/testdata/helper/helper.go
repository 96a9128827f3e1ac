// Package helper has helpers of another package.
package helper

import "github.com/heapwright/heapwright/arena"

type Point struct {
	X, Y int
	Name string
	Next *Point
}

// Make returns memory of the arena.
func Make(a *arena.Arena) *Point {
	p := arena.New[Point](a)
	p.X = 1
	return p
}

// Count only uses the arena.
func Count(a *arena.Arena) int { return len(arena.Bytes(a, []byte("x"))) }

// Finish frees the arena.
func Finish(a *arena.Arena) { a.Free() }

// Kept is a place of long life.
var Kept *arena.Arena

// Keep keeps the arena.
func Keep(a *arena.Arena) { Kept = a }
