// Package owner says whose code a function is.
//
// The stance: every view gives one function the same owner, so the question is
// answered here alone. A profile or trace names a function and a file, as the compiler
// recorded it on a machine that may not be at hand. Where both leave a doubt, the
// program owns the function, because its authors then see it.
package owner

import (
	"path"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/profile"
)

// Owner is whose code a function is.
type Owner uint8

const (
	Program    Owner = iota // the module that is built, or one beside it that can be changed as well
	Dependency              // a module from the module cache or a vendor folder
	Standard                // Go's standard library and commands
	Runtime                 // Go's runtime, and frames without symbols
	Owners                  // their number
)

var names = [Owners]string{"own code", "dependencies", "standard library", "runtime"}

// Names returns the names of all owners for people, indexed by Owner.
func Names() []string { return names[:] }

// String returns the name for people.
func (o Owner) String() string { return names[o] }

// Of returns the owner of a function by its symbol name and file. Both are as profiles
// have them; the file may be unknown ("").
func Of(function, file string) Owner {
	pkg := profile.PackageOf(function)
	switch {
	case OfRuntime(function):
		return Runtime
	case OfStandard(pkg), Inlined(function, file) != "":
		return Standard
	case Fetched(file):
		return Dependency
	}
	return Program
}

// Inlined returns the standard package of a function literal that the compiler has inlined into
// another package's function, "" for any other function. Such a literal has the name of that
// function: log's in main.run.(*Logger).Printf.func1.
func Inlined(function, file string) (pkg string) {
	if !strings.Contains(function, ".func") {
		return ""
	}
	folder := path.Dir(strings.ReplaceAll(file, `\`, "/"))
	if root, below, ok := cutLast(folder, "/src/"); ok && goroot.MatchString(root) {
		folder = below
	}
	if !OfStandard(folder) || folder == profile.PackageOf(function) {
		return ""
	}
	return folder
}

// goroot matches where Go is usually installed.
var goroot = regexp.MustCompile(`(?i)(^|/)(go|golang|go-?[0-9.]+|go/[0-9.]+/x64|toolchain@v[^/]*)$`)

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// OfRuntime reports whether a function is the runtime's, by its symbol name.
func OfRuntime(function string) bool {
	if !strings.ContainsAny(function, "./") {
		return true // assembly, such as memeqbody and gcWriteBarrier; or no name at all
	}
	switch function[0] {
	case '[', '<': // "[libc.so.6]", "[vdso]", "<unknown>": a binary without symbols
		return true
	}
	switch pkg := profile.PackageOf(function); pkg {
	case "runtime", "internal/abi", "internal/bytealg", "internal/chacha8rand", "internal/cpu", "internal/goarch":
		return true
	default:
		return strings.HasPrefix(pkg, "runtime/internal/") || strings.HasPrefix(pkg, "internal/runtime/")
	}
}

// OfStandard reports whether a package comes with Go, by the first element of its
// import path.
func OfStandard(pkg string) bool {
	head, _, nested := strings.Cut(pkg, "/")
	return standard[head] || nested && (head == "vendor" || head == "cmd")
}

// IsStandard reports whether a pass is over a package that comes with Go. A binary that was
// built with -trimpath knows no GOROOT, so files do not say.
func IsStandard(pass *analysis.Pass) bool {
	module := pass.Module
	return OfStandard(pass.Pkg.Path()) && (module == nil || module.Path == "" || module.Path == "std")
}

// standard holds the first elements of the import paths in GOROOT/src (go list std, Go
// 1.27). It is a list, because the path of a module may begin without a dot, too.
var standard = func() map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(`archive arena bufio builtin bytes cmp compress container context crypto database
		debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps math mime net os
		path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time
		unicode unique unsafe uuid weak`) {
		all[name] = true
	}
	return all
}()

// Fetched reports whether a file lies in a module cache or a vendor folder, wherever these are.
// Nobody edits such a file in place.
func Fetched(file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	return Versioned(file) || strings.Contains(file, "/pkg/mod/") || strings.Contains("/"+file, "/vendor/") ||
		bazels.MatchString(file)
}

// bazels matches files of modules that Bazel's rules for Go have fetched.
var bazels = regexp.MustCompile(`(^|/)external/(gazelle[~+]|(com|org|net|io|in|dev|cc|sh)_)[^/]*/`)

// Versioned reports whether a path has an element like "chi@v5.0.1". Such an element remains of
// the module cache's path with -trimpath.
func Versioned(file string) bool {
	i := strings.Index(file, "@v")
	return i > 0 && i+2 < len(file) && '0' <= file[i+2] && file[i+2] <= '9'
}
