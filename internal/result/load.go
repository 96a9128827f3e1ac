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
	return doc, nil
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
		return fmt.Errorf("not a heapwright report (schema %q, not %q); name the report.json of a compare", schema, Schema)
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
	remedy := "compare again, or continue from its results.txt with -resume"
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
