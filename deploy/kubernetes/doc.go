// Package kubernetes holds manifests, which its tests decode with the types of
// the Kubernetes API. It is a module of its own, so that those types never enter
// the go.mod of Heapwright.
package kubernetes
