package discover

import (
	"cmp"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// podList has the fields of a v1.PodList that are needed here
// (kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1).
type podList struct {
	Metadata struct {
		Continue string `json:"continue"`
	} `json:"metadata"`
	Items []pod `json:"items"`
}

type pod struct {
	Metadata struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		Containers []container `json:"containers"`
	} `json:"spec"`
	Status struct {
		Phase string `json:"phase"`
		PodIP string `json:"podIP"`
	} `json:"status"`
}

type container struct {
	Name  string `json:"name"`
	Image string `json:"image"`
	Ports []struct {
		Name          string `json:"name"`
		ContainerPort int    `json:"containerPort"`
	} `json:"ports"`
	Resources struct {
		Limits map[string]string `json:"limits"`
	} `json:"resources"`
}

// prefixes begin the annotations that ask for profiles. Grafana's collectors have one for
// each kind of profile; older ones have the last.
var prefixes = []string{"profiles.grafana.com/cpu.", "profiles.grafana.com/memory.",
	"profiles.grafana.com/goroutine.", "pyroscope.io/"}

// target returns the target of a pod, and false for one that runs no more or does not ask
// to be scraped.
func (p *pod) target() (t scrape.Target, ok bool, err error) {
	m := &p.Metadata
	for _, prefix := range prefixes {
		if m.Annotations[prefix+"scrape"] != "true" {
			continue
		}
		if p.Status.Phase != "Running" || p.Status.PodIP == "" {
			return t, false, nil
		}
		port, c := p.port(m.Annotations[prefix+"port"], m.Annotations[prefix+"port_name"])
		if c == nil {
			return t, false, fmt.Errorf("pod %s/%s: no container has the port of the annotation %sport",
				m.Namespace, m.Name, prefix)
		}
		scheme := cmp.Or(m.Annotations[prefix+"scheme"], "http")
		address := net.JoinHostPort(p.Status.PodIP, strconv.Itoa(port))
		if t, err = scrape.ParseTarget(scheme + "://" + address); err != nil {
			return t, false, fmt.Errorf("pod %s/%s: %w", m.Namespace, m.Name, err)
		}
		t.Service = cmp.Or(m.Labels["service_name"], m.Labels["app.kubernetes.io/name"], m.Labels["app"], c.Name)
		t.Version = cmp.Or(m.Labels["version"], m.Labels["app.kubernetes.io/version"], tag(c.Image))
		t.Labels = map[string]string{"namespace": m.Namespace, "pod": m.Name}
		t.Limit = quantity(c.Resources.Limits["memory"])
		return t, true, nil
	}
	return t, false, nil
}

// port returns the port that an annotation names, and its container. A pod with one
// container needs to declare no ports.
func (p *pod) port(number, name string) (int, *container) {
	wanted, _ := strconv.Atoi(number)
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		for _, port := range c.Ports {
			if port.ContainerPort == wanted && wanted > 0 || port.Name == name && name != "" {
				return port.ContainerPort, c
			}
		}
	}
	if wanted > 0 && wanted < 1<<16 && len(p.Spec.Containers) > 0 {
		return wanted, &p.Spec.Containers[0]
	}
	return 0, nil
}

// tag returns the version in the name of an image, "" where there is none that says
// anything.
func tag(image string) string {
	name, _, _ := strings.Cut(image[strings.LastIndexByte(image, '/')+1:], "@")
	if _, version, ok := strings.Cut(name, ":"); ok && version != "latest" {
		return version
	}
	return ""
}

// units of memory in Kubernetes
// (kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity).
var units = map[string]float64{
	"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40,
}

// quantity returns a limit of memory in bytes, 0 if there is none.
func quantity(s string) int64 {
	end := strings.LastIndexAny(s, "0123456789.") + 1
	v, err := strconv.ParseFloat(s[:end], 64)
	unit, ok := units[s[end:]]
	if v *= unit; err != nil || !ok || !(v >= 0 && v < math.MaxInt64) {
		return 0
	}
	return int64(v)
}
