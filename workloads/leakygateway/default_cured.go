//go:build cured

package main

// curedByDefault is the default of -cured: which gateway this build serves.
const curedByDefault = true
