package mcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/heapwright/heapwright/internal/diagnose"
	"github.com/heapwright/heapwright/internal/diagnose/view"
)

const (
	usualDiagnosis = 60  // seconds
	usualPrice     = 180 // seconds
	usualRows      = 10
	// pricing is the share of the budget of price for the prices themselves.
	pricing = 0.6
)

var diagnoseTool = &sdk.Tool{
	Name: "diagnose",
	Description: "Run and profile the benchmarks of Go packages, and list the lines whose allocations cost most, " +
		"with the predicted saving of each as a range of CPU time and live heap. Building comes on top of the " +
		"budget. The source files stay as they are.",
	Annotations: local("Find expensive lines", false),
}

var priceTool = &sdk.Tool{
	Name: "price",
	Description: "Like diagnose, and also measure what the first ten lines really cost, by executing their " +
		"allocations more often: each gets a share of CPU time with an interval, instead of a prediction. Use it if " +
		"the predicted ranges are too wide to choose by.",
	Annotations: local("Measure what lines cost", false),
}

var listTool = &sdk.Tool{
	Name:        "list_findings",
	Description: "List the findings of the last diagnose or price again, at once and without a measurement.",
	Annotations: local("List the findings of the last diagnosis", true),
}

type diagnoseArgs struct {
	place
	Budget int `json:"budget,omitempty" jsonschema:"seconds to measure for, 1 to 900 (default 60)"`
}

type priceArgs struct {
	place
	Budget int `json:"budget,omitempty" jsonschema:"seconds to measure for, 1 to 900 (default 180)"`
}

type listArgs struct {
	Limit int `json:"limit,omitempty" jsonschema:"list at most this many findings (default 10)"`
}

func (s *server) diagnose(ctx context.Context, p *progress, in diagnoseArgs) (out *listing, err error) {
	plan := diagnose.Plan{Handler: p}
	err = s.measure(ctx, "diagnose", in.Budget, usualDiagnosis, func(ctx context.Context, budget time.Duration) error {
		plan.Budget = budget
		out, err = s.run(ctx, in.place, plan)
		return err
	})
	return out, err
}

func (s *server) price(ctx context.Context, p *progress, in priceArgs) (out *listing, err error) {
	plan := diagnose.Plan{Handler: p, Price: true}
	err = s.measure(ctx, "price", in.Budget, usualPrice, func(ctx context.Context, budget time.Duration) error {
		plan.Pricing = time.Duration(pricing * float64(budget))
		plan.Budget = budget - plan.Pricing
		out, err = s.run(ctx, in.place, plan)
		return err
	})
	return out, err
}

// run diagnoses a place, keeps the document and lists its findings.
func (s *server) run(ctx context.Context, p place, plan diagnose.Plan) (*listing, error) {
	dir, t, err := s.resolve(p)
	if err != nil {
		return nil, err
	}
	plan.Dir, plan.Target = dir, t
	d, err := diagnose.Run(ctx, plan)
	if err != nil {
		return nil, fmt.Errorf("%s could not be diagnosed: %w", t, err)
	}
	d.Tool, d.Command = s.Tool, s.Command
	if err := view.Save(s.OutDir, d); err != nil {
		return nil, err
	}
	return list(d, usualRows), nil
}

// last reads the last diagnosis.
func (s *server) last() (*diagnose.Document, error) {
	d, err := view.Load(s.OutDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no diagnosis yet; call diagnose first")
	}
	return d, err
}

func (s *server) list(_ context.Context, _ *progress, in listArgs) (*listing, error) {
	if in.Limit < 0 {
		return nil, fmt.Errorf("limit %d: give a number above 0, or leave it out for %d", in.Limit, usualRows)
	}
	if in.Limit == 0 {
		in.Limit = usualRows
	}
	d, err := s.last()
	if err != nil {
		return nil, err
	}
	return list(d, in.Limit), nil
}
