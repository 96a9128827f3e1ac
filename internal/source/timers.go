package source

import (
	"cmp"
	"go/version"
	"path/filepath"
	"regexp"
	"strings"
)

// unreferenced is the version of Go from which on timers and tickers that nothing refers
// to are collected, by the go line of the main module (asynctimerchan of runtime/time.go).
const unreferenced = "go1.23"

var (
	timerSetting   = regexp.MustCompile(`(?m)^\s*(?:godebug\s+)?asynctimerchan=(\d)`)
	defaultSetting = regexp.MustCompile(`(?m)^\s*(?:godebug\s+)?default=(go1\.\d+)`)
	timerDirective = regexp.MustCompile(`(?m)^//go:debug asynctimerchan=(\d)`)
)

// KeepsTimers reports whether the runtime keeps timers and tickers of the program that
// are not stopped, though nothing refers to them: in modules of a language before Go 1.23,
// also with a newer toolchain, or by the setting asynctimerchan. It returns the reason, such
// as "go.mod has go 1.21".
func (x *Index) KeepsTimers(file string) (reason string, keeps bool) {
	if x == nil {
		return "", false
	}
	for _, p := range x.packages {
		if p.Name != "main" {
			continue
		}
		for _, name := range p.Files {
			text, err := ReadFile(name)
			if err != nil {
				continue
			}
			if m := timerDirective.FindSubmatch(text); m != nil {
				return "//go:debug asynctimerchan=" + string(m[1]), string(m[1]) != "0"
			}
		}
	}
	language := x.Language(file)
	for _, m := range x.modules {
		if "go"+m.GoVersion != language {
			continue
		}
		text, err := ReadFile(filepath.Join(m.Dir, "go.mod"))
		if err != nil {
			continue
		}
		if m := timerSetting.FindSubmatch(text); m != nil {
			return "go.mod has godebug asynctimerchan=" + string(m[1]), string(m[1]) != "0"
		}
		if m := defaultSetting.FindSubmatch(text); m != nil {
			return "go.mod has godebug default=" + string(m[1]), KeepsTimers(string(m[1]))
		}
	}
	return "go.mod has go " + strings.TrimPrefix(cmp.Or(language, "of no version"), "go"), KeepsTimers(language)
}

// KeepsTimers reports whether timers that are not stopped stay in programs of a language
// version such as "go1.21"; false for "".
func KeepsTimers(language string) bool {
	return language != "" && version.Compare(language, unreferenced) < 0
}
