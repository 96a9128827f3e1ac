package load

import (
	"fmt"
	"time"

	"github.com/heapwright/heapwright/internal/format"
)

// Phase is how the server answered in one phase of one run.
type Phase struct {
	Name       string
	Sent       int           // requests that were due in it
	Errors     int           // requests that failed: no answer, or a status that says so
	FirstError string        // the text of the first of them
	Answered   int           // answers that came while it lasted, to whatever request, errors too
	Good       int           // answers that are no errors
	Length     time.Duration // the sum of its stretches

	closing         float64         // rates at the ends of its stretches, together, in requests per second
	latencies, late []time.Duration // sorted; of the requests that were due in it
}

func (p *Phase) add(h hit) {
	p.Sent++
	if h.failed {
		p.Errors++
	}
	p.latencies = append(p.latencies, h.at-h.due)
	p.late = append(p.late, h.sent-h.due)
}

func (p *Phase) answered(h hit) {
	p.Answered++
	if !h.failed {
		p.Good++
	}
}

// Latency returns the q-quantile of the latencies, failed requests included,
// each from when it was due. It is false where there were fewer than 1/(1-q)
// requests: the largest of few is no such quantile.
func (p Phase) Latency(q float64) (time.Duration, bool) {
	// 1/(1-0.99) is not quite 100 in floating point.
	if n := float64(len(p.latencies)); n == 0 || n*(1-q) < 1-1e-9 {
		return 0, false
	}
	return rank(p.latencies, q), true
}

// ForP99 is how many requests a phase needs to have a p99.
const ForP99 = 100

// quantiles are those that are reported.
var quantiles = []struct {
	metric string
	q      float64
}{
	{"p50-latency-sec", 0.5},
	{"p90-latency-sec", 0.9},
	{"p99-latency-sec", 0.99},
	{"p99.9-latency-sec", 0.999},
}

// Figures returns the samples of the phase by metric, and for each that it
// cannot give the reason why.
func (p Phase) Figures() (values map[string]float64, missing map[string]string) {
	values, missing = map[string]float64{}, map[string]string{}
	for _, of := range quantiles {
		if latency, ok := p.Latency(of.q); ok {
			values[of.metric] = latency.Seconds()
		} else {
			missing[of.metric] = fmt.Sprintf(
				"the %d requests of a phase are too few for it; give a higher rate or a longer duration with -load", p.Sent)
		}
	}
	if p.Sent > 0 {
		values["error-fraction"] = float64(p.Errors) / float64(p.Sent)
	}
	if p.Length > 0 {
		values["requests/s"] = float64(p.Good) / p.Length.Seconds()
	}
	return values, missing
}

const (
	// keptUp is the share of its requests that a server must answer in time to count as not
	// saturated. Requests that would be in flight without a queue do not count: by Little's
	// law, at the latency of the quickest answers.
	keptUp = 0.95

	// quickest is the share of the requests with the quickest answers.
	quickest = 0.1

	// fewErrors is the share of errors from which on latencies are no longer the latencies
	// of answers.
	fewErrors = 0.01
)

// Doubt is a reason not to trust a figure.
type Doubt struct {
	What   string // the same for every run that has it
	Detail string // what is special to this run
}

// Doubts says why the figures of the phase should not be trusted; most often
// nothing.
func (p Phase) Doubts() []Doubt {
	var doubts []Doubt
	if !p.keptUp() {
		doubts = append(doubts, Doubt{"the server was saturated, give a lower rate",
			fmt.Sprintf("%d of %d requests were answered while they came", p.Answered, p.Sent)})
	}
	if !p.mostlyGood() {
		doubts = append(doubts, Doubt{"requests failed, and latencies and CPU include them",
			fmt.Sprintf("%d of %d, the first with %s", p.Errors, p.Sent, p.FirstError)})
	}
	if latency, ok := p.Latency(0.99); ok && rank(p.late, 0.99) > latency/2 {
		doubts = append(doubts,
			Doubt{"more than half of the p99 latency may be the load generator's, which had to wait for a processor",
				fmt.Sprintf("it sent %s late, of %s", format.Duration(rank(p.late, 0.99)), format.Duration(latency))})
	}
	return doubts
}

// keptUp reports whether no queue grew. The last request may be under way at the
// end however few there are.
func (p Phase) keptUp() bool {
	underWay := float64(p.Sent - p.Answered)
	if latency, ok := p.Latency(quickest); ok {
		underWay -= p.closing * latency.Seconds()
	}
	return underWay <= (1-keptUp)*float64(p.Sent) || underWay <= 1 && p.Answered > 0
}

func (p Phase) mostlyGood() bool { return float64(p.Errors) <= fewErrors*float64(p.Sent) }
