package view

import (
	"fmt"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/gate"
	"github.com/heapwright/heapwright/internal/termtext"
)

// growth writes a line that a metric grew by, and by how much.
func growth(row gate.Row, s gate.Site) string {
	return fmt.Sprintf("%s:%d %s: %s → %s", termtext.Harmless(s.File), s.Line, termtext.Harmless(s.Function),
		format.Metric(row.Metric, s.Base), format.Metric(row.Metric, s.Head))
}
