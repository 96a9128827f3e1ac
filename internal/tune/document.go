package tune

import (
	"time"

	"github.com/heapwright/heapwright/internal/diagnose"
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

	Answer    string   `json:"answer"` // one sentence
	MaxRSS    float64  `json:"max_rss_bytes"`
	MaxRSSWhy string   `json:"max_rss_why"`
	Tried     []Tried  `json:"tried"`
	Advice    *Advice  `json:"advice,omitempty"` // nil where no mode is to be adopted
	Savings   *Savings `json:"savings,omitempty"`
	Own       string   `json:"own,omitempty"`  // that the program is bound by its own work, where it is
	Code      []Code   `json:"code,omitempty"` // what the findings save on top of the advice, in their order
	Notes     []string `json:"notes,omitempty"`

	Diagnosis *diagnose.Document `json:"diagnosis"`
	Modes     *result.Document   `json:"modes,omitempty"` // the comparison of all candidates; nil where none was worth a try
	Final     *result.Document   `json:"final,omitempty"` // of the combination with its parts, where one was tried
}

// Tried is a mode and what is to be done with it.
type Tried struct {
	Mode     string             `json:"mode"`
	Why      string             `json:"why"` // it was tried
	Decision verdict.Decision   `json:"decision"`
	Reason   string             `json:"reason"`
	Change   map[string]float64 `json:"change"` // geometric mean of the ratios to the baseline, by metric

	over bool // nothing but the memory allowed speaks against it
}

// Advice is the configuration to run with.
type Advice struct {
	Mode     string            `json:"mode"`
	Gains    []Gain            `json:"gains"`
	Lines    map[string]string `json:"lines"` // ready to be pasted, by where they belong: "environment", "Dockerfile", "Kubernetes", "Go", "go.mod"
	Rollback string            `json:"rollback"`
}

// Code is what a finding saves on top of the advice.
type Code struct {
	File   string         `json:"file"`
	Line   int            `json:"line"`
	Title  string         `json:"title"`
	Saves  diagnose.Range `json:"saves"`  // share of the CPU time that the advice leaves
	Memory diagnose.Range `json:"memory"` // share of the live heap
}

// Gain is what the advice changes of one metric.
type Gain struct {
	Benchmark string  `json:"benchmark"`
	Metric    string  `json:"metric"`
	Before    float64 `json:"before"` // in the metric's unit
	After     float64 `json:"after"`
	Ratio     float64 `json:"ratio"`
	Low       float64 `json:"low"` // interval of the ratio; 0 and 0 where one untimed run each is compared
	High      float64 `json:"high"`
}

// Savings is what the advice saves a month, all instances together, in the unit
// of the prices; below 0 it costs more.
type Savings struct {
	Before float64 `json:"before"` // what CPU and peak RSS cost without the advice
	CPU    float64 `json:"cpu"`
	Memory float64 `json:"memory"`
	Total  float64 `json:"total"`
	Basis  string  `json:"basis"` // what was multiplied with what
}
