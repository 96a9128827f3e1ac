//go:build !cured

package main

// curedByDefault says which gateway this build serves unless told by -cured.
const curedByDefault = false
