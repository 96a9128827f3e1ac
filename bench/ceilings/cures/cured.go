//go:build cured

package cures

const cured = true
