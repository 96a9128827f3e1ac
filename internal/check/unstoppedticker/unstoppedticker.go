// Package unstoppedticker finds tickers that are not stopped where the runtime keeps them.
package unstoppedticker

import (
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/release"
	"github.com/heapwright/heapwright/internal/source"
)

const doc = `report tickers that a path does not stop, in modules of a language before Go 1.23

There the runtime keeps a ticker that is not stopped, and fires it for ever, even if
nothing refers to it any more. The version of the toolchain does not matter: the go
line in go.mod sets asynctimerchan.

	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-done:
			return // the ticker goes on
		case <-tick.C:
			...

The check is silent where the ticker is stored, returned or handed to a function that may
stop it, in main outside of loops, and in tests. There is no fix: defer tick.Stop() is
right unless the ticker outlives the function.`

// Analyzer finds tickers that are not stopped.
var Analyzer = &analysis.Analyzer{Name: "unstoppedticker", Doc: doc, Run: run}

func run(pass *analysis.Pass) (any, error) {
	language := pass.Pkg.GoVersion()
	if pass.Module != nil && pass.Module.GoVersion != "" {
		language = "go" + pass.Module.GoVersion
	}
	if !source.KeepsTimers(language) {
		return nil, nil
	}
	at := map[string]*token.File{}
	for _, f := range pass.Files {
		file := pass.Fset.File(f.FileStart)
		at[file.Name()] = file
	}
	p := release.Of(pass.Fset, flow.Package{Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo})
	for _, m := range p.Unreleased(release.Ticker) {
		file := at[m.File]
		if file == nil || m.Start || m.OfTest() || len(m.Missed) == 0 && !m.Dropped {
			continue
		}
		pos := file.LineStart(m.Line)
		if len(m.Missed) == 0 {
			pass.Reportf(pos, "the ticker is dropped and never stopped: before Go 1.23 the runtime keeps it")
			continue
		}
		pass.Reportf(pos, "line %d leaves without stopping the ticker: before Go 1.23 the runtime keeps it; defer its Stop", m.Missed[0].Exit.Line)
	}
	return nil, nil
}
