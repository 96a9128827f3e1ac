package auto

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/gctune"
)

const prefix = "HEAPWRIGHT_GCTUNE"

// parse reads the environment. All mistakes are reported at once.
func parse(environ []string) (o gctune.Options, on bool, err error) {
	e := environment{on: true}
	settings := e.settings()
	var errs []error
	aboutProfiles := false
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		suffix, ours := strings.CutPrefix(name, prefix)
		if !ours || suffix != "" && suffix[0] != '_' {
			continue
		}
		aboutProfiles = aboutProfiles || strings.HasPrefix(suffix, "_PROFILES_")
		set, known := settings[suffix]
		switch {
		case !known:
			errs = append(errs, fmt.Errorf("%s is not a setting: use one of %s", name, names(settings)))
		case value == "":
			errs = append(errs, fmt.Errorf("%s is empty: unset it or give it a value", name))
		default:
			if err := set(value); err != nil {
				errs = append(errs, fmt.Errorf("%s=%s: %w", name, value, err))
			}
		}
	}
	if aboutProfiles && e.folder == "" {
		errs = append(errs, fmt.Errorf("%s_PROFILES is not set, so the settings about profiles mean nothing: set it to a folder", prefix))
	}
	if e.on && len(errs) == 0 && e.folder != "" {
		hooks, err := gctune.ProfileHooks(e.folder, e.profiles)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s_PROFILES: %w", prefix, err))
		}
		e.options.Hooks = hooks
	}
	return e.options, e.on, errors.Join(errs...)
}

// environment holds the values of the variables.
type environment struct {
	on       bool
	options  gctune.Options
	folder   string // the folder for profiles; "" writes none
	profiles gctune.ProfileOptions
}

// settings returns the parser of each variable, by the part of its name after prefix.
func (e *environment) settings() map[string]func(string) error {
	return map[string]func(string) error{
		"": into(&e.on, func(v string) (bool, error) {
			if v != "on" && v != "off" {
				return false, errors.New("write on or off")
			}
			return v == "on", nil
		}),
		"_MIN_HEAP": into(&e.options.MinHeap, gctune.ParseSize),
		"_LIMIT": into(&e.options.Limit, func(v string) (int64, error) {
			switch v {
			case "cgroup":
				return 0, nil
			case "off":
				return gctune.NoLimit, nil
			}
			n, err := gctune.ParseSize(v)
			if err == nil && n == 0 {
				err = errors.New("write cgroup, off, or a size over 0")
			}
			return n, err
		}),
		"_GOGC": into(&e.options.GOGC, func(v string) (int, error) {
			if v == "off" {
				return -1, nil
			}
			n, err := whole(100_000)(v)
			if err != nil {
				err = fmt.Errorf("%w, or off", err)
			}
			return n, err
		}),
		"_MAX_GC_CPU":     into(&e.options.MaxGCCPU, share(0.5)),
		"_MIN_GOGC":       into(&e.options.MinGOGC, whole(100)),
		"_PROFILES":       into(&e.folder, func(v string) (string, error) { return v, nil }),
		"_PROFILES_AT":    into(&e.profiles.Share, share(1)),
		"_PROFILES_EVERY": into(&e.profiles.Every, every),
		"_PROFILES_KEEP":  into(&e.profiles.Keep, whole(1_000_000)),
	}
}

// into parses a value into *p.
func into[T any](p *T, parse func(string) (T, error)) func(string) error {
	return func(v string) error {
		x, err := parse(v)
		if err == nil {
			*p = x
		}
		return err
	}
}

func whole(most int) func(string) (int, error) {
	return func(v string) (int, error) {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("write a whole number from 1 to %d", most)
		}
		return n, nil
	}
}

func share(most float64) func(string) (float64, error) {
	return func(v string) (float64, error) {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil || !(x > 0 && x <= most) {
			return 0, fmt.Errorf("write a share over 0, at most %v, such as 0.25", most)
		}
		return x, nil
	}
}

func every(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		return 0, errors.New("write a time such as 30s or 1m")
	}
	return d, nil
}

func names[V any](settings map[string]V) string {
	var all []string
	for suffix := range settings {
		all = append(all, prefix+suffix)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
