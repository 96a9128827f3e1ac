package report

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/gate"
)

// gateSite tells a line that a metric grew by.
func gateSite(row gate.Row, s gate.Site) string {
	return fmt.Sprintf("%s:%d %s: %s → %s", harmless(s.File), s.Line, harmless(s.Function), value(row.Metric, s.Base), value(row.Metric, s.Head))
}
