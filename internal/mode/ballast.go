package mode

import (
	"context"
	"fmt"
	"strconv"
)

var ballastKind = Kind{
	Name: "ballast", Keys: []string{"ballast="}, Syntax: "ballast=256MiB", Variables: []string{ballastVariable},
	Doc:   "add a memory ballast: bytes that live on the heap and are never touched, so that GOGC counts them",
	Parse: parseBallast, ProveRun: proveBallast,
}

type weight struct {
	text  string
	bytes int64
}

func (w weight) String() string { return "ballast=" + w.text }
func (weight) Slot() string     { return ballastVariable }

func (w weight) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.inject(ballast)
	c.RunEnv[ballastVariable] = strconv.FormatInt(w.bytes, 10)
	return nil
}

func parseBallast(t token) (Setting, error) {
	if t.name != "ballast" || !t.valued {
		return nil, nil
	}
	n, err := parseSize(t, "ballast=256MiB")
	return weight{t.value, n}, err
}

func proveBallast(c Config, id Identity) (string, error) {
	want := int64(0)
	if c.injects(ballast) {
		want, _ = strconv.ParseInt(c.RunEnv[ballastVariable], 10, 64) // Apply has written it
	}
	if id.Ballast != want {
		return "", fmt.Errorf("it was to have a ballast of %d bytes, the run had one of %d", want, id.Ballast)
	}
	return "", nil
}
