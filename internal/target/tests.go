package target

import (
	"context"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// TestsOf returns the packages of the main modules whose tests run code of a module.
func (c *Cell) TestsOf(ctx context.Context, module string) ([]string, error) {
	args, err := c.sourceFlags()
	if err != nil {
		return nil, err
	}
	out, err := goCommand(ctx, c, "list", "-m", "-f", "{{.Dir}}/...")
	if err != nil {
		return nil, err
	}
	args = slices.Concat([]string{"list", "-e", "-test", "-json=ImportPath,Deps"}, args, strings.Fields(string(out)))
	if out, err = goCommand(ctx, c, args...); err != nil {
		return nil, err
	}
	all, err := subprocess.Values[struct {
		ImportPath string
		Deps       []string
	}](out)
	var packages []string
	for _, p := range all {
		name, isTest := strings.CutSuffix(p.ImportPath, ".test")
		if isTest && slices.ContainsFunc(p.Deps, func(d string) bool { return d == module || strings.HasPrefix(d, module+"/") }) {
			packages = append(packages, name)
		}
	}
	return packages, err
}

// Test runs the tests of packages, in the cell's mode. If they fail, the output says why.
func (c *Cell) Test(ctx context.Context, packages []string) (output string, err error) {
	args, err := c.sourceFlags()
	if err != nil {
		return "", err
	}
	out, err := goCommand(ctx, c, slices.Concat([]string{"test"}, args, packages)...)
	return string(out), err
}

// sourceFlags are the flags by which the go command sees the cell's sources.
func (c *Cell) sourceFlags() ([]string, error) {
	args := slices.Concat(mode.BuildFlags(c.Config), c.moduleFlags())
	if len(c.Sources) == 0 {
		return args, nil
	}
	flag, err := c.overlayFlag()
	return append(args, flag), err
}
