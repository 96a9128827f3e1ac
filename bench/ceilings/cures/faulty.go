//go:build !cured

package cures

const cured = false
