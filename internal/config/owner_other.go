//go:build !unix

package config

// trusted knows no owners here: temporary folders are each user's own.
func trusted(string) error { return nil }
