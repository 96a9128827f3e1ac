package survey

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
)

var (
	manifests = regexp.MustCompile(`(?i)(\.ya?ml|^(.*\.)?(Dockerfile|Containerfile)(\..*)?)$`)
	// A memory limit of Kubernetes or Compose, and one for the Go runtime.
	memoryKey = regexp.MustCompile(
		`^(\s*)(?:- )?(memory|mem_limit):\s*["']?(\d+(?:\.\d+)?)\s*([KMGkmg]i?)[bB]?["']?\s*(?:#.*)?$`)
	goMemLimit = regexp.MustCompile(`GOMEMLIMIT["']?[=:\s]\s*["']?(\d+(?:\.\d+)?)\s*([KMGkmg]i?)B\b`)
	yamlKey    = regexp.MustCompile(`^(\s*)(?:- )?([\w.-]+):`)
)

// manifest adds the memory limits of a Dockerfile or of a manifest for Compose or
// Kubernetes. It reads lines, so templates of manifests are read, too.
func (m *Module) manifest(name, rel string) error {
	if !manifests.MatchString(path.Base(rel)) {
		return nil
	}
	text, err := input.ReadRegular(name, maxFile)
	if err != nil {
		return err
	}
	var parents []parent
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		place := fmt.Sprintf("%s:%d", rel, number)
		line = strings.TrimRight(line, "\r\n")
		if g := goMemLimit.FindStringSubmatch(line); g != nil && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			m.Limits = append(m.Limits, Limit{place, size(g[1], g[2])})
		}
		key := yamlKey.FindStringSubmatch(line)
		if key == nil {
			continue
		}
		for len(parents) > 0 && parents[len(parents)-1].indent >= len(key[1]) {
			parents = parents[:len(parents)-1]
		}
		if k := memoryKey.FindStringSubmatch(line); k != nil {
			if k[2] == "mem_limit" || len(parents) > 0 && parents[len(parents)-1].key == "limits" {
				m.Limits = append(m.Limits, Limit{place, size(k[3], k[4])})
			}
		}
		parents = append(parents, parent{len(key[1]), key[2]})
	}
	return nil
}

// parent is a key that further lines stand below.
type parent struct {
	indent int
	key    string
}

// size is a number with a unit as flags take it. An M alone is 10⁶ in Kubernetes
// and 2²⁰ in Compose: the smaller one is taken.
func size(number, unit string) string {
	n, _ := strconv.ParseFloat(number, 64) // the pattern has checked it
	scale := map[string]float64{"K": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "k": 1 << 10,
		"m": 1 << 20, "g": 1 << 30}[unit]
	bytes := int64(n * scale)
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if bytes > 0 && bytes%u.size == 0 {
			return strconv.FormatInt(bytes/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(bytes, 10) + "B"
}
