package report

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/termtext"
)

// gateSite tells a line that a metric grew by.
func gateSite(row gate.Row, s gate.Site) string {
	return fmt.Sprintf("%s:%d %s: %s → %s", termtext.Harmless(s.File), s.Line, termtext.Harmless(s.Function), Value(row.Metric, s.Base), Value(row.Metric, s.Head))
}
