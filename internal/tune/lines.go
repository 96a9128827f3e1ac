package tune

import (
	"fmt"
	"strings"
)

// withoutCode is where the import stands that starts gctune by the environment.
const withoutCode = "Go, without a line of code"

// lines returns the lines to paste, by their place, to run with a mode, and how to go
// back.
func lines(mode string) (map[string]string, string) {
	var env [][2]string
	var build, experiments []string
	out := map[string]string{}
	floor := ""
	for setting := range strings.SplitSeq(mode, "+") {
		name, value, valued := strings.Cut(setting, "=")
		switch {
		case name == "floor":
			floor = value
		case valued:
			env = append(env, [2]string{name, value})
		case strings.HasPrefix(name, "go1."):
			out["go.mod"] = "toolchain " + name
			build = append(build, "GOTOOLCHAIN="+name)
		default:
			experiments = append(experiments, name)
		}
	}
	back := []string{}
	if floor != "" {
		out["Go"] = fmt.Sprintf(`import "github.com/heapwright/heapwright/gctune"

func main() {
	if err := gctune.Start(gctune.Options{MinHeap: %s}); err != nil {
		log.Print(err) // the program runs on without it
	}
	defer gctune.Stop() // everything is then as it was
	…
}`, bytesExpression(floor))
		out[withoutCode] = "import _ \"github.com/heapwright/heapwright/gctune/auto\" // reads HEAPWRIGHT_GCTUNE_*"
		env = append(env, [2]string{"HEAPWRIGHT_GCTUNE_MIN_HEAP", floor})
		back = append(back, "unset HEAPWRIGHT_GCTUNE_MIN_HEAP, or call Stop: gctune then restores the settings that it found")
	}
	if x := strings.Join(experiments, ","); x != "" {
		build = append(build, "GOEXPERIMENT="+x)
		back = append(back, "build without GOEXPERIMENT="+x)
	}
	if out["go.mod"] != "" {
		back = append(back, "take the toolchain line out of go.mod, GOTOOLCHAIN out of the build, and build again")
	}
	var shell, docker, pod []string
	if build != nil {
		out["build"] = strings.Join(build, " ") + " go build ./..."
		docker = append(docker, "# in the stage that builds", "ENV "+strings.Join(build, " "))
		if env != nil {
			docker = append(docker, "# in the stage that runs")
		} else {
			out["Kubernetes"] = "# nothing to set: deploy the image that was built so"
		}
	}
	for _, e := range env {
		if strings.HasPrefix(e[0], "HEAPWRIGHT_") {
			const needs = "# nothing reads it without the import of gctune/auto: see " + withoutCode
			shell, docker, pod = append(shell, needs), append(docker, needs), append(pod, "        "+needs)
		} else {
			back = append(back, "unset "+e[0])
		}
		shell = append(shell, fmt.Sprintf("export %s=%s", e[0], e[1]))
		docker = append(docker, fmt.Sprintf("ENV %s=%s", e[0], e[1]))
		pod = append(pod, fmt.Sprintf("        - name: %s\n          value: %q", e[0], e[1]))
	}
	if docker != nil {
		out["Dockerfile"] = strings.Join(docker, "\n")
	}
	if env != nil {
		out["environment"] = strings.Join(shell, "\n")
		out["Kubernetes"] = "spec:\n  template:\n    spec:\n      containers:\n      - name: YOUR-CONTAINER\n        env:\n" + strings.Join(pod, "\n")
	}
	return out, strings.Join(back, "; ")
}

// bytesExpression turns 64MiB into Go.
func bytesExpression(size string) string {
	for suffix, shift := range map[string]int{"TiB": 40, "GiB": 30, "MiB": 20, "KiB": 10} {
		if n, ok := strings.CutSuffix(size, suffix); ok {
			return fmt.Sprintf("%s << %d", n, shift)
		}
	}
	return strings.TrimSuffix(size, "B")
}
