// Package fix makes the changes that a diagnosis proposes, and keeps those that are
// proven.
//
// The stance: a change is offered only if the module's own tests pass with it and the
// comparison of the two says that it is better, by the method of compare. Nothing is
// changed in the user's files before that, and then only when asked.
package fix
