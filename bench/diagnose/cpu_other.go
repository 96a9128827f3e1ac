//go:build !unix

package main

import "errors"

// cpuTime fails: this system keeps no account of a process's children.
func cpuTime() (spent, error) {
	return spent{}, errors.New("this system does not tell the CPU time of a process's children; measure on Linux or macOS")
}
