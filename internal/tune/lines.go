package tune

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/mode"
)

// withoutCode is the heading above the import that starts gctune by environment variables.
const withoutCode = "Go, without a line of code"

// settings are the parts of a mode, by the way in which users set them.
type settings struct {
	floor, toolchain   string
	env                [][2]string
	build, experiments []string
	dependencies       []mode.Dependency
}

// settingsOf sorts the parts of the mode with the given name.
func settingsOf(name string) (s settings) {
	m := parsed(name)
	s.dependencies = m.Dependencies()
	for _, setting := range m.Settings {
		name, value, valued := strings.Cut(setting.String(), "=")
		switch {
		case name == "dep":
		case name == "floor":
			s.floor = value
		case valued:
			s.env = append(s.env, [2]string{name, value})
		case strings.HasPrefix(name, "go1."):
			s.toolchain = name
			s.build = append(s.build, "GOTOOLCHAIN="+name)
		default:
			s.experiments = append(s.experiments, name)
		}
	}
	if s.floor != "" {
		s.env = append(s.env, [2]string{"HEAPWRIGHT_GCTUNE_MIN_HEAP", s.floor})
	}
	if s.experiments != nil {
		s.build = append(s.build, "GOEXPERIMENT="+strings.Join(s.experiments, ","))
	}
	return s
}

// lines returns the lines to paste to adopt a mode, by the place where they belong, and
// how to go back.
func (d *Document) lines(mode string) (map[string]string, string) {
	s := settingsOf(mode)
	out, back := d.goGet(s.dependencies)
	if d.Library { // users of a library choose how it runs
		return out, strings.Join(back, "; ")
	}
	if s.floor != "" {
		out["Go"] = fmt.Sprintf(`import "github.com/heapwright/heapwright/gctune"

func main() {
	tuner, err := gctune.Start(gctune.Options{MinHeap: %s})
	if err != nil {
		log.Print(err) // the program works without it
	}
	defer tuner.Stop() // restores the settings
	…
}`, bytesExpression(s.floor))
		out[withoutCode] = "import _ \"github.com/heapwright/heapwright/gctune/auto\" // reads HEAPWRIGHT_GCTUNE_*"
	}
	if s.toolchain != "" {
		out["go.mod"] = "toolchain " + s.toolchain
	}
	s.deploy(out)
	return out, strings.Join(append(s.back(), back...), "; ")
}

// goGet returns the commands that choose newer versions of dependencies, and those that
// undo it.
func (d *Document) goGet(versions []mode.Dependency) (out map[string]string, back []string) {
	out = map[string]string{}
	var get []string
	for _, v := range versions {
		get = append(get, "go get "+v.String())
		for _, u := range d.Upgrades {
			if u.Module == v.Path {
				back = append(back, "go get "+u.Module+"@"+u.From)
			}
		}
	}
	if get != nil {
		out["shell"] = strings.Join(append(get, "go mod tidy"), "\n")
	}
	return out, back
}

// deploy adds the lines for the build and the environment.
func (s settings) deploy(out map[string]string) {
	var shell, docker, pod []string
	if s.build != nil {
		variables := strings.Join(s.build, " ")
		out["build"] = variables + " go build ./..."
		docker = append(docker, "# in the stage that builds", "ENV "+variables)
		if s.env != nil {
			docker = append(docker, "# in the stage that runs")
		} else {
			out["Kubernetes"] = "# nothing to set: deploy an image built with these variables"
		}
	}
	for _, e := range s.env {
		if strings.HasPrefix(e[0], "HEAPWRIGHT_") {
			const needs = "# nothing reads it without the import of gctune/auto: see " + withoutCode
			shell, docker, pod = append(shell, needs), append(docker, needs), append(pod, "        "+needs)
		}
		shell = append(shell, fmt.Sprintf("export %s=%s", e[0], e[1]))
		docker = append(docker, fmt.Sprintf("ENV %s=%s", e[0], e[1]))
		pod = append(pod, fmt.Sprintf("        - name: %s\n          value: %q", e[0], e[1]))
	}
	if docker != nil {
		out["Dockerfile"] = strings.Join(docker, "\n")
	}
	if s.env != nil {
		out["environment"] = strings.Join(shell, "\n")
		out["Kubernetes"] = "spec:\n  template:\n    spec:\n      containers:\n      - name: YOUR-CONTAINER\n        env:\n" + strings.Join(pod, "\n")
	}
}

// back returns the steps that undo the settings.
func (s settings) back() (steps []string) {
	if s.floor != "" {
		steps = append(steps, "unset HEAPWRIGHT_GCTUNE_MIN_HEAP, or call Stop: the tuner then restores the settings that it found")
	}
	if s.experiments != nil {
		steps = append(steps, "build without GOEXPERIMENT="+strings.Join(s.experiments, ","))
	}
	if s.toolchain != "" {
		steps = append(steps, "remove the toolchain line from go.mod and GOTOOLCHAIN from the build, and build again")
	}
	for _, e := range s.env {
		if !strings.HasPrefix(e[0], "HEAPWRIGHT_") {
			steps = append(steps, "unset "+e[0])
		}
	}
	return steps
}

// bytesExpression returns a size such as 64MiB as a Go expression, such as 64 << 20.
func bytesExpression(size string) string {
	for suffix, shift := range map[string]int{"TiB": 40, "GiB": 30, "MiB": 20, "KiB": 10} {
		if n, ok := strings.CutSuffix(size, suffix); ok {
			return fmt.Sprintf("%s << %d", n, shift)
		}
	}
	return strings.TrimSuffix(size, "B")
}
