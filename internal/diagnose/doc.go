// Package diagnose finds out where a program spends CPU and memory on allocation, and
// what to change. It reads the user's files, records a live service or runs a target,
// builds evidence from that, applies the rules and returns one document.
//
// The stance: sources that cannot belong to one program are refused before any time is
// spent on them, and the notes have everything that puts the result in doubt.
package diagnose
