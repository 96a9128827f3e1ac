// Package gate holds the action for GitHub and the job for GitLab that run
// "heapwright gate". Its tests run their steps on repositories of their own. It is
// a module of its own, so that the linter of workflows never enters the go.mod of
// Heapwright.
package gate
