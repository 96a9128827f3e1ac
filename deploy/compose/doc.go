// Package compose holds a manifest for docker compose, which its test loads with the library
// of docker compose. It is a module of its own, so that the library never enters the go.mod of
// Heapwright.
package compose
