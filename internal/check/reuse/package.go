package reuse

import (
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/check/rewrite"
)

// Package is the package of one pass, with all that proofs and fixes in it share. The
// analyzer has to require rewrite.Analyzer.
type Package struct {
	Pass    *analysis.Pass
	Info    *types.Info
	Source  *rewrite.Source
	Prover  *Prover
	Hoister *rewrite.Hoister
}

// NewPackage returns the Package of a pass.
func NewPackage(pass *analysis.Pass) *Package {
	return &Package{
		Pass: pass, Info: pass.TypesInfo, Source: rewrite.Of(pass), Prover: newProver(pass), Hoister: rewrite.NewHoister(pass),
	}
}
