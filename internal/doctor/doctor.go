// Package doctor examines a machine and names the figures that will be poor on it, the
// reasons, and the remedies.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Status is the result of a check.
type Status string

const (
	Good Status = "good"
	Poor Status = "poor" // something is measured, but badly
	Bad  Status = "bad"  // something is not measured at all
)

// Check is the result of one examination.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Found  string `json:"found"`
	Effect string `json:"effect,omitempty"` // the figures that suffer, and why
	Remedy string `json:"remedy,omitempty"`
}

// Document is the result of all.
type Document struct {
	Schema string  `json:"schema"`
	Checks []Check `json:"checks"`
}

// examinations are all checks, in the order in which they are shown.
var examinations = []struct {
	name string
	do   func(context.Context, *mode.Machine) Check
}{
	{"toolchain", toolchain},
	{"processors", processors},
	{"memory limit", containerLimit},
	{"memory cgroups", cgroups},
	{"stolen time", stolen},
	{"noise", noise},
	{"process metrics", processMetrics},
}

// Run examines this machine for a target in the machine's folder. It takes
// about three seconds.
func Run(ctx context.Context, m *mode.Machine) (*Document, error) {
	doc := &Document{Schema: "heapwright.doctor/1"}
	for _, e := range examinations {
		c := e.do(ctx, m)
		if err := ctx.Err(); err != nil {
			return doc, err
		}
		c.Name = e.name
		doc.Checks = append(doc.Checks, c)
	}
	return doc, nil
}

// WriteJSON writes the document as JSON.
func (d *Document) WriteJSON(w io.Writer) error { return termtext.JSON(w, d) }

// WriteText writes the document for people.
func (d *Document) WriteText(w io.Writer) error {
	var b strings.Builder
	poor := 0
	for _, c := range d.Checks {
		fmt.Fprintf(&b, "%-4s  %-16s %s\n", c.Status, c.Name, c.Found)
		for _, line := range []string{c.Effect, c.Remedy} {
			if line != "" {
				fmt.Fprintf(&b, "%-22s %s\n", "", line)
			}
		}
		if c.Status != Good {
			poor++
		}
	}
	if poor == 0 {
		b.WriteString("\nNothing stands in the way of measuring here.\n")
	} else {
		fmt.Fprintf(&b, "\n%d of %d checks found something. \"heapwright aa\" measures how far this machine can be trusted with your target.\n", poor, len(d.Checks))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
