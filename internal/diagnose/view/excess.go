package view

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/rules"
)

// Excess returns a message that a finding could save more than a share of CPU or of the
// live heap. The caller appends the reason for that share.
func Excess(f *rules.Finding, share float64) string {
	return fmt.Sprintf("%s could save %s, more than the %s of", f.Rule, format.Share(f.Ceiling()), format.Share(share))
}
