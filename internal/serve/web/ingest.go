package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/serve/foreign"
	"github.com/heapwright/heapwright/internal/store"
)

// ingest keeps a profile as github.com/grafana/pyroscope-go sends it: a form of the
// parts "profile" and "sample_type_config", or a body that is a pprof profile or text.
func (h *Handler) ingest(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	service, labels, err := parseName(q.Get("name"))
	if err != nil {
		return err
	}
	fromSender(labels, r)
	e := store.Entry{Service: service, Labels: labels}
	if until := q.Get("until"); until != "" {
		if e.Time, err = parseStamp(until); err != nil {
			return err
		}
	}
	format := q.Get("format")
	if !slices.Contains([]string{"", "pprof", "folded", "groups", "lines"}, format) {
		return httpError{http.StatusNotImplemented, fmt.Errorf("format %.40q: send pprof, folded or lines", format)}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostSent))
	if err != nil {
		return err
	}
	if format != "" && format != "pprof" {
		if data, err = fromText(data, q, e.Time); err != nil {
			return err
		}
		return h.keep(w, r, e, data)
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return h.keep(w, r, e, data)
	}
	data, types, err := readForm(data, params["boundary"])
	if err != nil {
		return bad("the form: %w", err)
	}
	e.Kind = kindBy(types)
	return h.keep(w, r, e, data)
}

// fromText makes a profile of stacks as text.
func fromText(data []byte, q url.Values, until time.Time) ([]byte, error) {
	t := foreign.Text{Counted: q.Get("format") != "lines", Units: q.Get("units"), Until: until}
	if from := q.Get("from"); from != "" {
		var err error
		if t.From, err = parseStamp(from); err != nil {
			return nil, err
		}
	}
	if rate := q.Get("sampleRate"); rate != "" {
		n, err := strconv.Atoi(rate)
		if err != nil || n <= 0 {
			return nil, bad("sampleRate=%.40q: write a number of samples in a second", rate)
		}
		t.Rate = n
	}
	out, err := foreign.Folded(data, t)
	if errors.Is(err, foreign.ErrLarge) {
		return nil, httpError{http.StatusRequestEntityTooLarge, err}
	}
	if err != nil {
		return nil, bad("%w", err)
	}
	return out, nil
}

// sampleType is a client's description of a sample type.
type sampleType struct {
	DisplayName string `json:"display-name"`
	Cumulative  bool   `json:"cumulative"`
}

// readForm returns the profile in a form. A form without its end is refused: the part that
// says how to read the profile may be the missing one.
func readForm(body []byte, boundary string) (data []byte, types map[string]sampleType, err error) {
	if !bytes.Contains(body, []byte("--"+boundary+"--")) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	form := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return data, types, nil
		}
		if err != nil {
			return nil, nil, err
		}
		switch part.FormName() {
		case "profile":
			if data, err = io.ReadAll(part); err != nil {
				return nil, nil, err
			}
		case "sample_type_config":
			if err := json.NewDecoder(part).Decode(&types); err != nil {
				return nil, nil, fmt.Errorf("sample_type_config: %w", err)
			}
		}
	}
}

// kindBy returns the kind that the sample types say and the profile does not, "" if they
// do not either: whether a heap profile counts from the one before, and which of two
// kinds counts contentions.
func kindBy(types map[string]sampleType) string {
	if _, live := types["inuse_space"]; live && !types["alloc_space"].Cumulative {
		return store.HeapDelta
	}
	name := types["delay"].DisplayName
	for _, kind := range []string{"mutex", "block"} {
		if strings.HasPrefix(name, kind) {
			return kind
		}
	}
	return ""
}

// parseName reads a name such as "shop{version=v1,pod=a}". The service is the label
// service_name if there is one.
func parseName(name string) (service string, labels store.Labels, err error) {
	service, rest, ok := strings.Cut(name, "{")
	labels = store.Labels{}
	if ok {
		rest, ok = strings.CutSuffix(rest, "}")
		if !ok {
			return "", nil, bad("name %.100q has no end: write it as app{key=value}", name)
		}
		for pair := range strings.SplitSeq(rest, ",") {
			if pair == "" {
				continue
			}
			key, value, ok := strings.Cut(pair, "=")
			if !ok {
				return "", nil, bad("name %.100q: %.40q is no key=value", name, pair)
			}
			labels[strings.TrimSpace(key)] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	service, labels = identify(strings.TrimSpace(service), labels)
	return service, labels, nil
}

// identify completes the labels of a pushed profile: its service, version and process
// are known under several names.
func identify(service string, labels store.Labels) (string, store.Labels) {
	if name := labels["service_name"]; name != "" {
		service = name
	}
	for label, others := range map[string][]string{
		"version":  {"service_git_ref", "service_version"},
		"instance": {"pod", "hostname", "__session_id__"},
	} {
		for _, other := range others {
			if labels[label] == "" && labels[other] != "" {
				labels[label] = labels[other]
			}
		}
	}
	return service, labels
}

// fromSender makes the address of the sender the process of a profile whose labels name none,
// because snapshots of two processes that are taken for one look like restarts.
func fromSender(labels store.Labels, r *http.Request) {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil && labels["instance"] == "" {
		labels["instance"] = host
	}
}

// parseStamp reads a time since 1970 in seconds, milliseconds or nanoseconds, by its size.
func parseStamp(s string) (time.Time, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil || n < 0:
		return time.Time{}, bad("time %.40q: write seconds or nanoseconds since 1970", s)
	case n < 1e11:
		return time.Unix(n, 0), nil
	case n < 1e14:
		return time.UnixMilli(n), nil
	}
	return time.Unix(0, n), nil
}
