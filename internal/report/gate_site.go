package report

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/plain"
)

// gateSite tells a line that a metric grew by.
func gateSite(row gate.Row, s gate.Site) string {
	return fmt.Sprintf("%s:%d %s: %s → %s", plain.Harmless(s.File), s.Line, plain.Harmless(s.Function), value(row.Metric, s.Base), value(row.Metric, s.Head))
}
