package foreign

import (
	"fmt"
	"time"
)

// Profile is one profile of a message, as pprof.
type Profile struct {
	Service string // "" if the message names none
	Labels  map[string]string
	Time    time.Time // zero if the message has none
	Data    []byte
}

// Bounds of a message.
const (
	mostProfiles = 1000
	mostEntries  = 1 << 20 // all tables together
)

// OTLP calls do for each profile of a message of OTLP's ExportProfilesServiceRequest, as
// opentelemetry/proto/profiles/v1development/profiles.proto of version 1.9 describes it. That
// version is unstable: older and newer ones number the fields otherwise.
func OTLP(message []byte, do func(Profile) error) error {
	var m otlp
	var resources [][]byte
	if err := each(message, func(f field) error {
		switch f.number {
		case 1:
			resources = append(resources, f.data)
		case 2:
			return m.dictionary(f.data)
		}
		return nil
	}); err != nil {
		return err
	}
	for _, r := range resources {
		if err := m.resource(r, do); err != nil {
			return err
		}
	}
	return nil
}

// otlp has the tables that all profiles of a message share, whose entries are messages.
type otlp struct {
	mappings, locations, functions, strings, stacks [][]byte

	profiles int
	made     int // bytes of profiles
}

func (m *otlp) dictionary(message []byte) error {
	entries := 0
	return each(message, func(f field) error {
		if entries++; entries > mostEntries {
			return fmt.Errorf("%w: more than %d entries of tables", ErrLarge, mostEntries)
		}
		switch f.number {
		case 1:
			m.mappings = append(m.mappings, f.data)
		case 2:
			m.locations = append(m.locations, f.data)
		case 3:
			m.functions = append(m.functions, f.data)
		case 5:
			m.strings = append(m.strings, f.data)
		case 7:
			m.stacks = append(m.stacks, f.data)
		}
		return nil
	})
}

// attributes are the names in OpenTelemetry of labels, the preferred one first.
var attributes = []struct{ name, label string }{
	{"service.version", "version"},
	{"service.instance.id", "instance"}, {"k8s.pod.name", "instance"},
	{"container.id", "instance"}, {"host.name", "instance"},
	{"service.namespace", "namespace"}, {"k8s.namespace.name", "namespace"},
}

func (m *otlp) resource(message []byte, do func(Profile) error) error {
	found := map[string]string{}
	var profiles [][]byte
	if err := each(message, func(f field) error {
		switch f.number {
		case 1:
			return each(f.data, func(f field) error {
				if f.number != 1 {
					return nil
				}
				name, value, err := attribute(f.data)
				found[name] = value
				return err
			})
		case 2:
			return each(f.data, func(f field) error {
				if f.number != 2 {
					return nil
				}
				profiles = append(profiles, f.data)
				if m.profiles++; m.profiles > mostProfiles {
					return fmt.Errorf("%w: more than %d profiles", ErrLarge, mostProfiles)
				}
				return nil
			})
		}
		return nil
	}); err != nil {
		return err
	}
	labels := map[string]string{}
	for _, a := range attributes {
		if labels[a.label] == "" && found[a.name] != "" {
			labels[a.label] = found[a.name]
		}
	}
	service := found["service.name"]
	if service == "" {
		service = found["process.executable.name"]
	}
	for _, one := range profiles {
		p, err := m.profile(one)
		if err != nil {
			return err
		}
		if m.made += len(p.Data); m.made > 4*mostOut {
			return fmt.Errorf("%w: its profiles are more than %d MiB", ErrLarge, 4*mostOut>>20)
		}
		p.Service, p.Labels = service, labels
		if err := do(p); err != nil {
			return err
		}
	}
	return nil
}

// attribute returns the name and the value of an attribute that is text.
func attribute(message []byte) (name, value string, err error) {
	err = each(message, func(f field) error {
		switch f.number {
		case 1:
			name = string(f.data)
		case 2:
			return each(f.data, func(f field) error {
				if f.number == 1 {
					value = string(f.data)
				}
				return nil
			})
		}
		return nil
	})
	return name, value, err
}
