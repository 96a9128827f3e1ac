package clean

import (
	"reflect"
	"sync"
)

var deleted = map[string]int{}

func fill(k string)  { deleted[k] = 1 }
func empty(k string) { delete(deleted, k) }

var cleared = map[string]int{}

func fill2(k string) { cleared[k] = 1 }
func reset()         { clear(cleared) }

var anew []int

func push(n int) { anew = append(anew, n) }
func drop()      { anew = anew[:0] }

var limited = map[string]int{}

func insert(k string) {
	if len(limited) < 100 {
		limited[k] = 1
	}
}

var passed = map[string]int{}

func pass(k string) { passed[k] = 1; trim(passed) }

func trim(map[string]int) {}

var addressed []int

func address(n int) *[]int { addressed = append(addressed, n); return &addressed }

var kinds = map[reflect.Kind]int{}

func kind(k reflect.Kind) { kinds[k] = 1 }

var infos sync.Map

func info(v any) { infos.Store(reflect.TypeOf(v), 1) }

type level int

const low level = 1

var levels = map[level]int{}

func note(l level) { levels[l] = 1 }

var constant = map[string]int{}

func fixed() { constant["a"] = 1 }

var codecs = map[string]func(){}

func RegisterCodec(name string, f func()) { codecs[name] = f }

var table = map[int]int{}

func init() { enter(1) }

func enter(n int) { table[n] = n }

var taken sync.Map

func give(id string)     { taken.Store(id, 1) }
func take(id string) any { v, _ := taken.LoadAndDelete(id); return v }

type holder struct{ m map[string]int }

// A value of a type with a name may be short-lived.
func (h *holder) put(k string) { h.m[k] = 1 }

func local(words []string) int {
	m := map[string]int{}
	for _, w := range words {
		m[w]++
	}
	return len(m)
}

// Exported variables may be emptied elsewhere.
var Shared = map[string]int{}

func share(k string) { Shared[k] = 1 }

var array [4]map[string]int

func inArray(k string) { array[0][k] = 1 }

var fixedSlice = make([]int, 10)

func element(i int) { fixedSlice[i] = 1 }
