//go:build !linux

package machine

// ReadTime returns the zero value: this system does not report it.
func ReadTime() Time { return Time{} }
