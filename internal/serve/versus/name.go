package versus

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// names gives a function the same number in every version, whatever release of Go built
// it. The releases differ in the names of closures (go.dev/issue/60324) and of the
// functions that allocate: a closure counts as the function that it stands in, and the
// work of the runtime and the standard library counts for the function that calls them.
type names struct {
	numbers map[string]int
	shown   []string         // number → the newest name that it was seen with
	known   map[place]string // functions with a name of their own
}

// place is where a function stands, as closures know it too: they may have the package of
// the function that they were inlined into, or none, but they keep their file.
type place struct{ name, file string }

// Numbers of costs without a function of the program.
const (
	runtimeRow = iota
	standardRow
	firstFunction
)

func newNames() *names {
	n := &names{numbers: map[string]int{}, known: map[place]string{}}
	n.number("the runtime, in no function's name")
	n.number("the standard library, in no function's name")
	return n
}

func (n *names) text(number int) string { return n.shown[number] }

func (n *names) number(key string) int {
	number, ok := n.numbers[key]
	if !ok {
		number = len(n.shown)
		n.numbers[key] = number
		n.shown = append(n.shown, key)
	}
	return number
}

// learn notes the functions of a dictionary that closures may stand in. All dictionaries
// are learned before the first function is numbered.
func (n *names) learn(d *profile.Dict) {
	for id := 1; id < d.NumFunctions(); id++ {
		f := d.Function(profile.FunctionID(id))
		pkg, rest := split(f.Name)
		if _, closure := enclosing(rest); !closure {
			n.known[place{rest, path.Base(f.File)}] = pkg + "." + rest
		}
	}
}

// of returns the number of a function, and false for one of Go itself.
func (n *names) of(f profile.Function) (number int, own bool) {
	name, symbol := n.resolved(f), f.Name
	if strings.HasPrefix(symbol, "_.") { // a closure that says nothing of its package
		symbol = name
	}
	switch owner.Of(symbol, f.File) {
	case owner.Runtime:
		return runtimeRow, false
	case owner.Standard:
		return standardRow, false
	}
	return n.number(name), true
}

// resolved returns the name of the function that a function counts as.
func (n *names) resolved(f profile.Function) string {
	pkg, rest := split(f.Name)
	candidates, closure := enclosing(rest)
	if !closure {
		return pkg + "." + rest
	}
	for _, c := range candidates {
		if key, ok := n.known[place{c, path.Base(f.File)}]; ok {
			return key
		}
	}
	last := candidates[len(candidates)-1]
	if pkg != "_" && owner.Of(f.Name, f.File) != owner.Program {
		return pkg + "." + last
	}
	if pkg == "_" { // the folder is the package, but for the program's own
		_, dir, _ := strings.Cut(path.Dir(f.File), "/src/")
		if dir = cmp.Or(dir, path.Dir(f.File)); owner.OfStandard(dir) {
			return dir + "." + last
		}
	}
	return last + " in " + path.Base(f.File)
}

// split returns the package of a function and the rest of its name, without type
// arguments.
func split(function string) (pkg, rest string) {
	pkg = profile.PackageOf(function)
	plain := arguments(function)
	slash := strings.LastIndexByte(plain, '/') + 1
	_, rest, _ = strings.Cut(plain[slash:], ".")
	return pkg, rest
}

// arguments removes type arguments, which nest.
func arguments(function string) string {
	var b strings.Builder
	depth := 0
	for _, r := range function {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth = max(0, depth-1)
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// added matches the suffixes that the compiler gives to a function's name for a closure in
// it, for a wrapper of a go or defer statement, for the body of a loop over a function, and
// for a method value.
var added = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|\.\d+|·dwrap·\d+|-fm|-range\d+)+$`)

// enclosing returns the functions that a closure may stand in, the likeliest first, and
// false for a function with a name of its own. A closure that was inlined has the name of
// the caller before its function's.
func enclosing(rest string) (candidates []string, closure bool) {
	plain := added.ReplaceAllString(rest, "")
	if plain == rest {
		return nil, false
	}
	if plain == "glob." { // Go 1.20 has this for closures outside of all functions
		plain = "init"
	}
	parts := strings.Split(plain, ".")
	last := parts[len(parts)-1]
	if len(parts) > 1 {
		candidates = append(candidates, parts[len(parts)-2]+"."+last)
		if strings.HasPrefix(parts[len(parts)-2], "(") {
			return candidates, true
		}
	}
	return append(candidates, last), true
}
