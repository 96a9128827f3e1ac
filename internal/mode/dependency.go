package mode

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/module"
)

var dependencyKind = Kind{
	Name: "dependency", Keys: []string{"dep="}, Syntax: "dep=golang.org/x/net@latest",
	Doc:   "build with this version of a module, as go get would choose it; your go.mod and go.sum stay as they are",
	Parse: parseDependency, ProveBuild: proveDependency,
}

// Dependency is a version of a module that a mode builds with.
type Dependency struct {
	Path  string
	Query string // "v1.2.3", "latest", "upgrade"
	// Version is the query's answer, "" until the target has asked the go command.
	Version string
}

func (d Dependency) String() string { return d.Path + "@" + d.Query }

// Setting returns the version as it is written in a list of modes.
func (d Dependency) Setting() string { return dependencySetting(d).String() }

// Dependencies returns the versions of modules that the mode asks for.
func (m Mode) Dependencies() []Dependency {
	var all []Dependency
	for _, s := range m.Settings {
		if d, ok := s.(dependencySetting); ok {
			all = append(all, Dependency(d))
		}
	}
	return all
}

type dependencySetting Dependency

func (d dependencySetting) String() string { return "dep=" + quoteValue(Dependency(d).String()) }
func (d dependencySetting) Slot() string   { return "the version of " + d.Path }

func parseDependency(t token) (Setting, error) {
	if t.name != "dep" || !t.valued {
		return nil, nil
	}
	path, query, ok := strings.Cut(t.value, "@")
	if !ok || query == "" || query == "none" || strings.HasPrefix(query, "-") {
		return nil, errors.New(
			"dep= needs a module and a version, as in dep=golang.org/x/net@v0.62.0 or dep=golang.org/x/net@latest")
	}
	if err := module.CheckPath(path); err != nil {
		return nil, fmt.Errorf("dep=%s: %w", t.value, err)
	}
	return dependencySetting{Path: path, Query: query}, nil
}

func (d dependencySetting) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.Dependencies = append(c.Dependencies, Dependency(d))
	return nil
}

// proveDependency holds the versions in the binary against those asked for. A test
// binary records none: there the target's question to the go command is the proof.
func proveDependency(c Config, id Identity) (string, error) {
	for _, d := range c.Dependencies {
		if got := id.Modules[d.Path]; d.Version != "" && got != "" && got != d.Version {
			return "", fmt.Errorf("it was to be built with %s %s, the binary says %s", d.Path, d.Version, got)
		} else if got == "" && id.Modules != nil {
			return "", fmt.Errorf("dep=%s: the binary holds nothing of that module", d)
		}
	}
	return "", nil
}
