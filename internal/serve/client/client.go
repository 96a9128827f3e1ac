// Package client reads profiles from heapwright serve and from Pyroscope, for the commands
// that read files.
//
// The stance: a server is foreign, too. Its answers are bounded, and no name in an
// answer becomes the name of a file.
package client

import (
	"archive/tar"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Query selects profiles of a server. The zero value but for Service is the last hour.
type Query struct {
	Service, Version string
	Last             time.Duration
	From, To         string // RFC 3339, or seconds since 1970
	Token            string // bearer token
}

// A prefix is before the URL of a server, so that it is not taken for a service's.
const (
	prefix          = "serve+"
	pyroscopePrefix = "pyroscope+"
)

// Is reports whether a source is a server, as in serve+http://host:7070, and whether it is
// meant as one, which may be misspelled.
func Is(source string) (is, meant bool) {
	for _, p := range []string{prefix, pyroscopePrefix} {
		if rest, ok := strings.CutPrefix(source, p); ok {
			return strings.HasPrefix(rest, "http://") || strings.HasPrefix(rest, "https://"), true
		}
	}
	return false, false
}

// Bounds of an answer.
const (
	mostBytes = 1 << 30
	mostFiles = 100
	patience  = 2 * time.Minute
)

// Window writes the profiles that a diagnosis of a window rests on into a folder.
func Window(ctx context.Context, source string, q Query, dir string) error {
	if strings.HasPrefix(source, pyroscopePrefix) {
		return pyroscopeWindow(ctx, source, q, dir)
	}
	body, err := get(ctx, source, "window", q, nil)
	if err != nil {
		return err
	}
	defer body.Close()
	archive := tar.NewReader(io.LimitReader(body, mostBytes))
	for i := range mostFiles {
		header, err := archive.Next()
		if err == io.EOF && i > 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: its answer is no archive of profiles: %w", source, err)
		}
		kind := filepath.Base(filepath.Clean(header.Name))
		kind = strings.TrimSuffix(kind[strings.LastIndexByte(kind, '-')+1:], ".pb")
		if !known[kind] {
			kind = "other"
		}
		name := filepath.Join(dir, fmt.Sprintf("%02d-%s.pb", i, kind))
		if err := result.Create(name, func(w io.Writer) error {
			_, err := io.Copy(w, archive)
			return err
		}); err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
	}
	return fmt.Errorf("%s: its answer has more than %d profiles", source, mostFiles)
}

var known = map[string]bool{"cpu": true, "heap": true, "allocs": true, "goroutine": true}

// Profile writes the sum of the profiles of a kind in a window into a file.
func Profile(ctx context.Context, source, kind string, q Query, file string) error {
	if strings.HasPrefix(source, pyroscopePrefix) {
		return pyroscopeProfile(ctx, source, kind, q, file)
	}
	body, err := get(ctx, source, "profile", q, url.Values{"kind": {kind}})
	if err != nil {
		return err
	}
	defer body.Close()
	return result.Create(file, func(w io.Writer) error {
		_, err := io.Copy(w, io.LimitReader(body, mostBytes))
		return err
	})
}

// mostVersions bounds the comparison of two versions, in bytes.
const mostVersions = 16 << 20

// Versions returns the comparison that a serve makes of two versions of a service, as JSON.
// Base is the older version, "" being the one that most processes ran beside the other.
func Versions(ctx context.Context, source string, q Query, base string) ([]byte, error) {
	more := url.Values{}
	if base != "" {
		more.Set("base-version", base)
	}
	body, err := get(ctx, source, "versions", q, more)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, mostVersions))
}

// OpenStore returns the store of a source that is a Pyroscope.
func OpenStore(source string, q Query) (s *Store, ok bool) {
	address, ok := strings.CutPrefix(source, pyroscopePrefix)
	return NewStore(address, Auth{Token: q.Token}), ok
}

func get(ctx context.Context, source, what string, q Query, more url.Values) (io.ReadCloser, error) {
	if q.Service == "" {
		return nil, fmt.Errorf("%s: which service? give -service SERVICE", source)
	}
	address, err := url.Parse(strings.TrimPrefix(source, prefix))
	if err != nil {
		return nil, err
	}
	address = address.JoinPath("api", what, url.PathEscape(q.Service))
	values := url.Values{"last": {cmp.Or(q.Last, time.Hour).String()}}
	for name, value := range map[string]string{"from": q.From, "to": q.To, "version": q.Version} {
		if value != "" {
			values.Set(name, value)
		}
	}
	for name := range more {
		values.Set(name, more.Get(name))
	}
	address.RawQuery = values.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := newPeer(source, Auth{Token: q.Token}).do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer resp.Body.Close()
	head, _ := io.ReadAll(io.LimitReader(resp.Body, 300)) // only to say more
	return nil, fmt.Errorf("%s: %s: %s", source, resp.Status, termtext.Harmless(strings.TrimSpace(string(head))))
}
