//go:build !cgo

package main

import "errors"

func inC(int) error { return errors.New("it is built without cgo") }
