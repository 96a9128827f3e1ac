package discover

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// group is an entry of Prometheus's files and answers of targets
// (prometheus.io/docs/prometheus/latest/configuration/configuration, file_sd_config).
type group struct {
	Targets []string          `json:"targets" yaml:"targets"`
	Labels  map[string]string `json:"labels" yaml:"labels"`
}

// mostYAML bounds a list in YAML, in bytes: each of them may take some hundred in memory while
// it is read.
const mostYAML = 1 << 20

// parseGroups reads JSON or YAML. Entries that are wrong are left out, and the error names
// them.
func parseGroups(data []byte) (all []scrape.Target, err error) {
	var groups []group
	if json.Unmarshal(data, &groups) != nil {
		groups = nil
		if len(data) > mostYAML {
			return nil, fmt.Errorf("no list of targets in JSON, and more than %d MiB for one in YAML", mostYAML>>20)
		}
		if err := yaml.Unmarshal(data, &groups); err != nil {
			return nil, fmt.Errorf("no list of targets in the format of file_sd: %w", err)
		}
	}
	all = []scrape.Target{}
	var wrong []error
	for _, g := range groups {
		for _, address := range g.Targets {
			if len(all) == mostTargets {
				return all, errTooMany
			}
			t, err := target(address, g.Labels)
			if err != nil {
				wrong = append(wrong, err)
				continue
			}
			all = append(all, t)
		}
	}
	if len(wrong) > 3 {
		wrong = append(wrong[:3], fmt.Errorf("and %d more", len(wrong)-3))
	}
	return all, errors.Join(wrong...)
}

// target returns the target of an address, HOST:PORT, with its labels. Labels that begin
// with two underscores are for the scraper and are not kept.
func target(address string, labels map[string]string) (scrape.Target, error) {
	if scheme := labels["__scheme__"]; scheme != "" && !strings.Contains(address, "://") {
		address = scheme + "://" + address
	}
	t, err := scrape.ParseTarget(address)
	if err != nil {
		return t, err
	}
	for _, name := range []string{"service_name", "app.kubernetes.io/name", "app_kubernetes_io_name", "job"} {
		if service := labels[name]; service != "" {
			t.Service = service
			break
		}
	}
	for _, name := range []string{"version", "service_git_ref", "service_version"} {
		if t.Version == "" {
			t.Version = labels[name]
		}
	}
	t.Labels = map[string]string{}
	for name, value := range maps.All(labels) {
		if !strings.HasPrefix(name, "__") {
			t.Labels[name] = value
		}
	}
	return t, nil
}
