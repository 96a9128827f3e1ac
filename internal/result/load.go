package result

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/sample"
)

// maxDocument is how large a document may be. A hundred thousand runs take 40 MB.
const maxDocument = 256 << 20

// Load reads a document that Save wrote. The error says whether the file is
// missing, damaged, of another schema, or no report at all, and the remedy. The
// context ends waiting for a pipe.
func Load(ctx context.Context, path string) (*Document, error) {
	data, err := input.ReadFile(ctx, path, maxDocument)
	return read(path, data, err)
}

// LoadFound loads a document that no user has named, so a pipe is not waited for.
func LoadFound(path string) (*Document, error) {
	data, err := input.ReadRegular(path, maxDocument)
	return read(path, data, err)
}

func read(path string, data []byte, err error) (*Document, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; name the report.json in the output folder of a compare", err)
	}
	if err != nil {
		return nil, err
	}
	doc, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return doc, nil
}

// Decode reads one document.
func Decode(data []byte) (*Document, error) {
	// The schema first: the fields of another version may have other types.
	var head struct{ Schema, Tool string }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, damaged(err, len(data))
	}
	if err := checkSchema(head.Schema, head.Tool); err != nil {
		return nil, err
	}
	doc := new(Document)
	if err := json.Unmarshal(data, doc); err != nil {
		return nil, damaged(err, len(data))
	}
	if err := doc.check(); err != nil {
		return nil, fmt.Errorf("damaged: %w; %s", err, remedy)
	}
	return doc, nil
}

// remedy ends the errors about a damaged document.
const remedy = "compare again, or continue from its results.txt with -resume"

// check refuses figures that no experiment can have measured. Verdicts and the plan
// of a resumed experiment would follow from them.
func (d *Document) check() error {
	for _, part := range []struct {
		field string
		runs  []sample.Run
	}{{"runs", d.Runs}, {"untimed", d.Untimed}} {
		for i, r := range part.runs {
			if err := r.Check(); err != nil {
				return fmt.Errorf("%s[%d], %q in %q, block %d: %w", part.field, i, r.Key.String(), r.Mode, r.Block, err)
			}
			if r.Block < 0 {
				return fmt.Errorf("%s[%d], %q in %q: there is no block %d", part.field, i,
					r.Key.String(), r.Mode, r.Block)
			}
		}
	}
	for i, b := range d.Benchmarks {
		if b.Iterations < 0 || b.Iterations > sample.MaxIterations {
			return fmt.Errorf("benchmarks[%d], %q: %d iterations, which no run can do", i, b.Key.String(), b.Iterations)
		}
	}
	for field, v := range map[string]float64{"blocks": float64(d.Blocks), "seconds_per_block": d.PerBlock,
		"seconds_of_compiling": d.Compiling} {
		if v < 0 || v > 1e9 { // 30 years
			return fmt.Errorf("%s is %v, which no experiment can have", field, v)
		}
	}
	return nil
}

// checkSchema holds a file's schema against the one that this package reads.
func checkSchema(schema, tool string) error {
	if schema == Schema {
		return nil
	}
	family, ours := splitVersion(Schema)
	name, theirs := splitVersion(schema)
	switch {
	case name != family || theirs < 0:
		return fmt.Errorf("not a heapwright report (schema %q, not %q); name the report.json of a compare",
			schema, Schema)
	case theirs > ours:
		return fmt.Errorf("schema %s is newer than %s, which this heapwright reads; update heapwright", schema, Schema)
	default:
		return fmt.Errorf("schema %s is older than %s, which this heapwright reads; read it with the version that wrote it (%q) or compare again", schema, Schema, tool)
	}
}

// splitVersion cuts "heapwright.report/1" in two; -1 stands for no version.
func splitVersion(schema string) (name string, version int) {
	name, v, _ := strings.Cut(schema, "/")
	version, err := strconv.Atoi(v)
	if err != nil || version < 0 {
		return name, -1
	}
	return name, version
}

func damaged(err error, size int) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case size == 0:
		return fmt.Errorf("damaged: the file is empty; %s", remedy)
	case errors.As(err, &syntax):
		return fmt.Errorf("damaged at byte %d of %d: %w; %s", syntax.Offset, size, err, remedy)
	case errors.As(err, &typ):
		return fmt.Errorf("damaged at byte %d of %d: %w; %s", typ.Offset, size, err, remedy)
	}
	return fmt.Errorf("damaged: %w; %s", err, remedy)
}
