package collect

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// parseURL returns the root of a service, below which /debug/pprof and
// /debug/vars are. People paste the address of a profile as well.
func parseURL(s string) (*url.URL, error) {
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	switch {
	case err != nil:
		// url.Error shows the whole URL, and with it a password.
		var bad *url.Error
		if errors.As(err, &bad) {
			err = bad.Err
		}
		return nil, fmt.Errorf("the URL is not one: %w; write http://host:port", err)
	case u.User != nil:
		return nil, errors.New(
			"a password in the URL is seen by everyone who lists processes; give -user and -password-file")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("%q: only http and https can be collected from", s)
	case u.Hostname() == "":
		return nil, fmt.Errorf("%q: there is no host in it; write http://host:port", s)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q: leave out what follows the path; collect asks for what it needs", s)
	}
	path, _, _ := strings.Cut(u.Path, "/debug/")
	u.Path, u.RawPath = strings.TrimRight(path, "/"), ""
	return u, nil
}

// fileName makes a file's name of a user's text or a URL: letters, digits, dots and
// dashes, not too long and never hidden or a path.
func fileName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, s)
	s = strings.TrimLeft(s, ".-")
	return cmp.Or(s[:min(len(s), 100)], "service")
}
