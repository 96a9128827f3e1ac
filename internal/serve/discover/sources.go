package discover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/serve/scrape"
)

// mostBytes bounds a list of targets.
const mostBytes = 16 << 20

// Files are files in the format of file_sd whose names match a pattern.
type Files string

func (f Files) String() string { return "files " + string(f) }

// Targets implements Source.
func (f Files) Targets(ctx context.Context) ([]scrape.Target, error) {
	names, err := filepath.Glob(string(f))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", string(f), err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no such file", string(f))
	}
	var all []scrape.Target
	var errs []error
	for _, name := range names {
		data, err := input.ReadRegular(name, mostBytes)
		if err != nil {
			return nil, err // a part would end the watch of the others
		}
		targets, err := parseGroups(data)
		if targets == nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
		all = append(all, targets...)
	}
	return all, errors.Join(errs...)
}

// HTTP is a URL that answers in the format of http_sd.
type HTTP string

// String leaves out the password and the query, which may be secret.
func (h HTTP) String() string {
	u, err := url.Parse(string(h))
	if err != nil {
		return "a URL that cannot be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// Targets implements Source.
func (h HTTP) Targets(ctx context.Context) ([]scrape.Target, error) {
	all, err := h.targets(ctx)
	var wrapped *url.Error // has the whole address
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", h, err)
	}
	return all, err
}

func (h HTTP) targets(ctx context.Context) ([]scrape.Target, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, string(h), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostBytes {
		return nil, fmt.Errorf("more than %d MiB", mostBytes>>20)
	}
	return parseGroups(data)
}

// DNS is a name whose addresses are the processes of one service: the hosts of a name
// with a port, or the records of a service (SRV), whose names begin with an underscore.
type DNS struct {
	Service, Name, Port string
	resolver            resolver // nil is the system's
}

type resolver interface {
	LookupHost(ctx context.Context, name string) ([]string, error)
	LookupSRV(ctx context.Context, service, proto, name string) (string, []*net.SRV, error)
}

// ParseDNS reads SERVICE=NAME:PORT, or SERVICE=_http._tcp.NAME.
func ParseDNS(s string) (*DNS, error) {
	service, name, ok := strings.Cut(s, "=")
	if !ok || service == "" || name == "" {
		return nil, fmt.Errorf("%q: write SERVICE=NAME:PORT", s)
	}
	if strings.HasPrefix(name, "_") {
		return &DNS{Service: service, Name: name}, nil
	}
	host, port, err := net.SplitHostPort(name)
	if err != nil || host == "" || port == "" {
		return nil, fmt.Errorf("%q: write SERVICE=NAME:PORT", s)
	}
	return &DNS{Service: service, Name: host, Port: port}, nil
}

func (d *DNS) String() string { return "DNS " + d.Name }

// Targets implements Source.
func (d *DNS) Targets(ctx context.Context) ([]scrape.Target, error) {
	var asks resolver = net.DefaultResolver
	if d.resolver != nil {
		asks = d.resolver
	}
	var addresses []string
	if d.Port == "" {
		_, records, err := asks.LookupSRV(ctx, "", "", d.Name)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			host := strings.TrimSuffix(r.Target, ".")
			addresses = append(addresses, net.JoinHostPort(host, strconv.Itoa(int(r.Port))))
		}
	} else {
		hosts, err := asks.LookupHost(ctx, d.Name)
		if err != nil {
			return nil, err
		}
		for _, h := range hosts {
			addresses = append(addresses, net.JoinHostPort(h, d.Port))
		}
	}
	slices.Sort(addresses)
	all := []scrape.Target{}
	for _, a := range addresses[:min(len(addresses), mostTargets)] {
		all = append(all, scrape.Target{URL: (&url.URL{Scheme: "http", Host: a}).String(), Service: d.Service})
	}
	return all, nil
}
