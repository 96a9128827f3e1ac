package mode

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
)

var patchKind = Kind{
	Name: "patch", Keys: []string{"patch="}, Syntax: "patch=my.diff",
	Doc: "build with this unified diff applied; your files stay as they are. For more than one, " +
		"patch=a.diff+patch=b.diff",
	Parse: parsePatch,
}

// Patch is a change of source that a mode builds with.
type Patch struct {
	*patch.Patch
	File string // name relative to the folder in which it was typed
	Sum  string // identifies its text
}

type patchSetting string

// PatchSetting returns the setting of a patch as it is written in a list of modes.
func PatchSetting(file string) string { return patchSetting(file).String() }

func (p patchSetting) String() string { return "patch=" + quoteValue(string(p)) }
func (p patchSetting) Slot() string   { return p.String() } // several follow each other

func parsePatch(t token) (Setting, error) {
	if t.name != "patch" || !t.valued {
		return nil, nil
	}
	if t.value == "" {
		return nil, errors.New("patch= needs the file of a unified diff, as in patch=my.diff; git diff makes one")
	}
	return patchSetting(t.value), nil
}

// Apply reads the diff. What it is applied to depends on the revision, so the target
// does that.
func (p patchSetting) Apply(ctx context.Context, _ *Machine, c *Config) error {
	text, err := input.ReadFile(ctx, string(p), patch.MaxSize)
	if err != nil {
		return err
	}
	parsed, err := patch.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", string(p), err)
	}
	sum := sha256.Sum256(text)
	c.Patches = append(c.Patches, Patch{parsed, string(p), hex.EncodeToString(sum[:8])})
	return nil
}
