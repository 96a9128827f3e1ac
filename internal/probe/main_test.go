package probe

import (
	"testing"

	"github.com/heapwright/heapwright/internal/process/processtest"
)

func TestMain(m *testing.M) { processtest.Main(m) }
