// Package diagnose is the command of that name: it gathers the user's files, a live
// service or a target to run, builds evidence of it, asks the rules and writes one
// document.
//
// The stance: sources that cannot be of one program are refused before any time is
// spent on them, and everything that puts the result in doubt stands in its notes.
package diagnose
