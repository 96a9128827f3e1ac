package collect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// residentGauge is the name that the client libraries of Prometheus give to the
// resident memory of their process.
const residentGauge = "process_resident_memory_bytes"

var errNoResident = errors.New(residentGauge + " is not served there: the resident memory (RSS) is not known")

// askResident asks /metrics for the resident memory, which neither profiles nor
// /debug/vars contain. That page is a custom and not Go's, so no answer of it is a
// failure. Only this figure of it is kept.
func (c *collector) askResident(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	address := c.root.JoinPath("/metrics").String()
	rss := kind{name: "rss"}
	answer, err := c.get(ctx, address, 0, rss)
	var held int64
	if err == nil {
		held, err = resident(answer)
		err = about(address, err)
	} else if notServed(err) {
		err = about(address, errNoResident)
	}
	switch {
	case ctx.Err() != nil: // nothing is wrong with the service
	case err != nil:
		c.miss(rss, false, err)
	default:
		c.mu.Lock()
		c.doc.RSS = &held
		c.mu.Unlock()
	}
}

// resident reads the gauge in an answer in Prometheus' text format. Other lines
// are passed over unread: there may be megabytes of them.
func resident(answer []byte) (int64, error) {
	var sample []byte
	for line := range bytes.Lines(answer) {
		rest, ok := bytes.CutPrefix(line, []byte(residentGauge))
		if !ok || !bytes.ContainsAny(rest[:min(len(rest), 1)], " \t{") {
			continue
		}
		if sample != nil {
			return 0, errors.New(residentGauge + " is there several times: which process answered is not known")
		}
		sample = line
	}
	if sample == nil {
		return 0, errNoResident
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(sample))
	metrics := families[residentGauge].GetMetric()
	if err != nil || len(metrics) != 1 {
		return 0, fmt.Errorf("%q is not the text format of Prometheus", sample[:min(len(sample), 100)])
	}
	v := metrics[0].GetUntyped().GetValue()
	if !(v >= 1 && v < math.MaxInt64) { // also false for NaN
		return 0, fmt.Errorf("%s is %v", residentGauge, v)
	}
	return int64(v), nil
}
