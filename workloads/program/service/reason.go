package service

import (
	"errors"
	"io/fs"
	"net"
	"net/url"
)

// Reason returns the text of an error for a client. Errors of connections and files
// hold addresses and paths of this side, which are nobody's business.
func Reason(err error) string {
	switch {
	case errors.As(err, new(*net.OpError)), errors.As(err, new(*net.DNSError)), errors.As(err, new(*url.Error)):
		return "a connection failed"
	case errors.As(err, new(*fs.PathError)):
		return "a file could not be used"
	}
	return err.Error()
}
