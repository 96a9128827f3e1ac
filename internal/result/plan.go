package result

import (
	"encoding/json"
	"time"

	"github.com/heapwright/heapwright/internal/mode"
)

// Plan is the plan of an experiment, with every choice made and every default
// filled in. An experiment that was cut short continues from it.
type Plan struct {
	Target  PlannedTarget `json:"target"`
	Dir     string        `json:"dir"`    // the target's folder, absolute
	Modes   []mode.Mode   `json:"modes"`  // the first is the baseline
	Blocks  int           `json:"blocks"` // the most blocks; 0 is the method's default
	Budget  time.Duration `json:"budget_ns"`
	RunTime time.Duration `json:"run_time_ns"`
	Timeout time.Duration `json:"timeout_ns"`      // the timeout of one run
	Place   string        `json:"place,omitempty"` // the file that an arm runs; "" is a fresh copy in every block
	Again   []string      `json:"again,omitempty"` // further arms that run the baseline
	Trace   bool          `json:"trace,omitempty"` // a run of each mode with the execution tracer
}

// PlannedTarget is a target: its kind, and the target as JSON.
type PlannedTarget struct {
	Kind string          `json:"kind"`
	Spec json.RawMessage `json:"spec"`
}
