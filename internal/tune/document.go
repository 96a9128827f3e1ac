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

// Document is the answer of tune with all that it rests on.
type Document struct {
	Schema  string    `json:"schema"`
	Tool    string    `json:"tool"` // version of heapwright
	Made    time.Time `json:"made"`
	Command []string  `json:"command"` // as typed
	Dir     string    `json:"dir"`     // where it was typed
	Target  string    `json:"target"`
	Plan    *Planned  `json:"plan,omitempty"` // nil in documents of versions that did not record it

	Answer    string    `json:"answer"` // one sentence
	MaxRSS    float64   `json:"max_rss_bytes"`
	MaxRSSWhy string    `json:"max_rss_why"`
	Tried     []Tried   `json:"tried"`
	Upgrades  []Upgrade `json:"upgrades,omitempty"` // the dependencies whose newer versions are among Tried
	Advice    *Advice   `json:"advice,omitempty"`   // nil where no mode is to be adopted
	Savings   *Savings  `json:"savings,omitempty"`
	Library   bool      `json:"library,omitempty"` // the module has no program: its users choose the mode
	Own       string    `json:"own,omitempty"`     // that the program is bound by its own work, where it is
	Code      []Code    `json:"code,omitempty"`    // savings of the findings on top of the advice, in their order
	Notes     []string  `json:"notes,omitempty"`

	Diagnosis *diagnose.Document `json:"diagnosis"`
	Modes     *result.Document   `json:"modes,omitempty"` // the comparison of all candidates; nil where none was worth a try
	// Between are comparisons that proved no mode better, after the first one and
	// before the last.
	Between []*result.Document `json:"between,omitempty"`
	Final   *result.Document   `json:"final,omitempty"` // the last comparison, of few modes; nil where there is only the first

	// noTime names the candidates that the budget has no time for, with a remedy.
	noTime string
}

// Tried is a mode and the decision on it.
type Tried struct {
	Mode     string             `json:"mode"`
	Why      string             `json:"why"` // it was tried
	Decision verdict.Decision   `json:"decision"`
	Reason   string             `json:"reason"`
	Change   map[string]float64 `json:"change"` // geometric mean of the ratios to the baseline, by metric
	Blocks   int                `json:"blocks"` // pairs of runs that Change rests on

	// over is nil unless nothing but its memory speaks against the mode.
	over  *excess
	again bool // a comparison after the first one had it
}

// excess is a peak RSS above the memory allowed, in bytes.
type excess struct{ peak, allowed, baseline float64 }

// fits returns the share of the extra memory that the limit leaves room for. Peaks
// vary from run to run, so it keeps a tenth back.
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
	Before    float64 `json:"before"` // in the metric's unit
	After     float64 `json:"after"`
	Ratio     float64 `json:"ratio"`
	Low       float64 `json:"low"` // interval of the ratio; 0 and 0 where one untimed run each is compared
	High      float64 `json:"high"`
	Note      string  `json:"note,omitempty"` // why before and after disagree with the ratio, where they do
}

// Savings are the savings of the advice in a month, all instances together, in the
// unit of the prices; below 0 it costs more.
type Savings struct {
	Before float64 `json:"before"` // the cost of CPU and peak RSS without the advice
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	Total  float64 `json:"total"`
	Basis  string  `json:"basis"` // the multiplication, for people
}
