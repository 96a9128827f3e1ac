package tune

import (
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/verdict"
)

// Schema is the version of Document. It changes when a field changes its meaning
// or goes; a new field does not change it.
const Schema = "heapwright.tuning/1"

// Document is the answer of tune and all its evidence.
type Document struct {
	Schema  string    `json:"schema"`
	Tool    string    `json:"tool"` // version of heapwright
	Made    time.Time `json:"made"`
	Command []string  `json:"command"` // the command as typed
	Dir     string    `json:"dir"`     // the folder in which the command ran
	Target  string    `json:"target"`
	Plan    *Planned  `json:"plan,omitempty"` // nil in documents of versions that did not record it

	Answer    string    `json:"answer"` // one sentence
	MaxRSS    float64   `json:"max_rss_bytes"`
	MaxRSSWhy string    `json:"max_rss_why"`
	Tried     []Tried   `json:"tried"`
	Upgrades  []Upgrade `json:"upgrades,omitempty"` // the dependencies whose newer versions are among Tried
	Advice    *Advice   `json:"advice,omitempty"`   // nil if no mode is to be adopted
	Savings   *Savings  `json:"savings,omitempty"`
	Library   bool      `json:"library,omitempty"` // the module has no program: its users choose the mode
	Own       string    `json:"own,omitempty"`     // says that the program is bound by its own work
	Code      []Code    `json:"code,omitempty"`    // savings of the findings on top of the advice, in their order
	Notes     []string  `json:"notes,omitempty"`

	Diagnosis *diagnose.Document `json:"diagnosis"`
	Modes     *result.Document   `json:"modes,omitempty"` // the comparison of all candidates; nil if none was worth a try
	// Between are comparisons that proved no mode better, after the first one and
	// before the last.
	Between []*result.Document `json:"between,omitempty"`
	Final   *result.Document   `json:"final,omitempty"` // the last comparison, of few modes; nil if there is only the first

	// noTime names the candidates that the budget has no time for, with a remedy.
	noTime string
}

// Tried is a mode and the decision on it.
type Tried struct {
	Mode     string             `json:"mode"`
	Why      string             `json:"why"` // the reason to try it
	Decision verdict.Decision   `json:"decision"`
	Reason   string             `json:"reason"`
	Change   map[string]float64 `json:"change"` // geometric mean of the ratios to the baseline, by metric
	Blocks   int                `json:"blocks"` // number of pairs of runs behind Change

	// over is nil unless nothing but its memory speaks against the mode.
	over  *excess
	again bool // a later comparison measured it, too
}

// excess is a peak RSS above the memory allowed, in bytes.
type excess struct{ peak, allowed, baseline float64 }

// fits returns the share of the extra memory for which the limit leaves room. It keeps
// a tenth in reserve, because peaks vary from run to run.
func (e excess) fits() float64 {
	return 0.9 * (e.allowed - e.baseline) / (e.peak - e.baseline)
}

// Advice is the configuration to run with.
type Advice struct {
	Mode     string            `json:"mode"`
	Gains    []Gain            `json:"gains"`
	Lines    map[string]string `json:"lines"` // ready to be pasted, by where they belong: "environment", "Dockerfile", "Kubernetes", "Go", "go.mod"
	Rollback string            `json:"rollback"`
}

// Code is the saving of a finding on top of the advice.
type Code struct {
	File   string         `json:"file"`
	Line   int            `json:"line"`
	Title  string         `json:"title"`
	Saves  evidence.Range `json:"saves"`  // share of the CPU time that the advice leaves
	Memory evidence.Range `json:"memory"` // share of the live heap
}

// Gain is the effect of the advice on one metric.
type Gain struct {
	Benchmark string  `json:"benchmark"`
	Metric    string  `json:"metric"`
	Before    float64 `json:"before"` // value in the metric's unit
	After     float64 `json:"after"`
	Ratio     float64 `json:"ratio"`
	Low       float64 `json:"low"` // interval of the ratio; 0 and 0 where one untimed run each is compared
	High      float64 `json:"high"`
	Note      string  `json:"note,omitempty"` // why before and after disagree with the ratio, where they do
}

// Savings are what the advice saves in a month for all instances together, in the
// currency of the prices. Negative savings are additional costs.
type Savings struct {
	Before float64 `json:"before"` // the cost of CPU and peak RSS without the advice
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	Total  float64 `json:"total"`
	Basis  string  `json:"basis"` // the multiplication, for people
}
