package guard

import (
	"fmt"
	"slices"
	"strings"
)

// Rule is a reason to refuse a proposal.
type Rule struct {
	Name string `json:"name"`
	// Forbids completes the sentence "a proposal must not …".
	Forbids string `json:"forbids"`
	// Always says that nobody can allow it: the later steps cannot handle such a diff.
	Always bool `json:"-"`
}

// Rules are all reasons, in the order in which they are looked for.
var Rules = []Rule{
	{"diff", "be anything but a unified diff that applies to the module's files", true},
	{"outside", "name a file outside of the module", true},
	{"symlink", "change a symbolic link, or a file behind one", true},
	{"file", "remove or rename a file, change its mode, or touch a hidden one", true},
	{"test", "change a test file or testdata", false},
	{"module", "change go.mod, go.sum, go.work or vendored files", false},
	{"not-go", "change assembly or any other file that is not Go", false},
	{"generated", "change or make a generated file, which fix -apply leaves as it is", false},
	{"constraint", "change the build constraints of a file", false},
	{"directive", "add a //go: or //line directive", false},
	{"linkname", "add //go:linkname or a function without a body", false},
	{"embed", "add //go:embed", false},
	{"cgo", "use cgo, or change a file that does", false},
	{"unsafe", "import unsafe", false},
	{"import", "import os/exec, net, syscall, plugin or packages like them", false},
	{"types", "fail to type-check, or change a file that this build leaves out", true},
	{"api", "change or remove an exported declaration, or add a package that others can import", false},
	{"init", "add or change an init function, or call a function of the module to initialize a variable", false},
	{"gc", "collect garbage, or change a setting of the runtime", false},
	{"benchmark", "find out who runs it: testing, flags, arguments, environment, stack, profiles", false},
	{"system", "use more of package os, such as its files", false},
	{"memo", "keep results in a package variable, or in a map of a struct, from one call to the next", false},
}

// Allow returns the rules that a user switches off, by their names with commas between
// them.
func Allow(names string) (allowed []string, err error) {
	for name := range strings.SplitSeq(names, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		i := slices.IndexFunc(Rules, func(r Rule) bool { return r.Name == name })
		switch {
		case i < 0:
			return nil, fmt.Errorf("%q is no rule; the rules are %s", name, strings.Join(Allowable(), ", "))
		case Rules[i].Always:
			all := strings.Join(Allowable(), ", ")
			return nil, fmt.Errorf("the rule %s cannot be switched off; these can: %s", name, all)
		}
		allowed = append(allowed, name)
	}
	return allowed, nil
}

// Allowable returns the names of the rules that a user can switch off.
func Allowable() (names []string) {
	for _, r := range Rules {
		if !r.Always {
			names = append(names, r.Name)
		}
	}
	return names
}

// Refusal is a place where a proposal breaks a rule.
type Refusal struct {
	Rule string `json:"rule"`
	// Where is the file, relative to the module, with a line if there is one.
	Where string `json:"where,omitempty"`
	What  string `json:"what"`
}

func (r Refusal) String() string {
	if r.Where == "" {
		return r.Rule + ": " + r.What
	}
	return r.Rule + ": " + r.Where + ": " + r.What
}
