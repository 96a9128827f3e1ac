//go:build !linux

package resident

import "errors"

var errLinux = errors.New("the mappings of a process are only read on Linux")

// Of reads the memory of a process of this machine.
func Of(int) (*Memory, error) { return nil, errLinux }

// Listening returns the process of this machine that listens on a TCP port.
func Listening(int) (pid int, err error) { return 0, errLinux }
