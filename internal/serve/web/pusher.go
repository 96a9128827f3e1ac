package web

import (
	"errors"
	"net/http"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/internal/store"
)

// pusher answers push.v1.PusherService/Push as Grafana Alloy calls it: the Connect
// protocol's POST of one protobuf message, whose fields push/v1/push.proto of
// github.com/grafana/pyroscope/api describes.
func (h *Handler) pusher(w http.ResponseWriter, r *http.Request) error {
	if t := r.Header.Get("Content-Type"); t != "application/proto" {
		return httpError{http.StatusUnsupportedMediaType, errors.New("send application/proto by the Connect protocol")}
	}
	data, err := body(w, r, mostSent)
	if err != nil {
		return err
	}
	all, err := parsePush(data)
	if err != nil {
		return bad("no message of push.v1: %w", err)
	}
	for _, s := range all {
		fromSender(s.entry.Labels, r)
		for _, profile := range s.profiles {
			if len(profile) == 0 {
				return bad("an empty profile")
			}
			if _, err := h.server.Append(r.Context(), s.entry, profile); err != nil {
				return err
			}
		}
	}
	w.Header().Set("Content-Type", "application/proto")
	return nil
}

// series holds the profiles of one process in a push.
type series struct {
	entry    store.Entry
	profiles [][]byte
}

// mostProfiles bounds the profiles of one push, and its series.
const mostProfiles = 1000

func parsePush(message []byte) (all []series, err error) {
	profiles := 0
	err = eachField(message, func(field protowire.Number, message []byte) error {
		if field != 1 {
			return nil
		}
		if len(all) == mostProfiles {
			return errors.New("too many series")
		}
		var s series
		labels := store.Labels{}
		err := eachField(message, func(field protowire.Number, value []byte) error {
			switch field {
			case 1:
				name, value, err := parsePair(value)
				labels[name] = value
				return err
			case 2:
				return eachField(value, func(field protowire.Number, raw []byte) error {
					if field != 1 {
						return nil
					}
					if profiles++; profiles > mostProfiles {
						return errors.New("too many profiles")
					}
					s.profiles = append(s.profiles, raw)
					return nil
				})
			}
			return nil
		})
		if err != nil {
			return err
		}
		// With this label, allocations count from the profile before; without it, from
		// the start of the process, and Pyroscope subtracts.
		name := labels["__name__"]
		if strings.HasPrefix(name, "mutex") || strings.HasPrefix(name, "block") {
			s.entry.Kind = name
		}
		if name == "memory" && labels["__delta__"] == "false" {
			s.entry.Kind = store.HeapDelta
		}
		delete(labels, "__name__") // these two are about the profile and not about the process
		delete(labels, "__delta__")
		s.entry.Service, s.entry.Labels = identify(labels["app"], labels)
		all = append(all, s)
		return nil
	})
	return all, err
}

func parsePair(pair []byte) (name, value string, err error) {
	err = eachField(pair, func(field protowire.Number, text []byte) error {
		switch field {
		case 1:
			name = string(text)
		case 2:
			value = string(text)
		}
		return nil
	})
	return name, value, err
}

// eachField calls do for the fields of a message that hold bytes.
func eachField(message []byte, do func(protowire.Number, []byte) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if kind != protowire.BytesType {
			if n = protowire.ConsumeFieldValue(field, kind, message); n < 0 {
				return protowire.ParseError(n)
			}
			message = message[n:]
			continue
		}
		value, n := protowire.ConsumeBytes(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if err := do(field, value); err != nil {
			return err
		}
	}
	return nil
}
