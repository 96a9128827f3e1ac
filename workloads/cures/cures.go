// Package cures has small programs with a fault each, and its cure under the
// build tag "cured". The allocations that the cure removes are in functions whose
// name begins with "faulty", so that a prediction can be made for exactly them.
package cures
