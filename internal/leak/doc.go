// Package leak names the line of a program to which goroutines that pile up are due,
// and what to do there.
//
// The reason that they wait for decides. A lock is traced to the return that leaves it
// locked, a database connection to the rows that stay open, a channel to whoever should
// receive. Goroutines of a library have no line of the program on their stacks: the call
// that starts them is found in the library's source and in the heap profile.
//
// The stance: growth alone is no leak. Connections of clients, requests under way and
// idle connections that are kept for the next request come and go. A path is named only
// where the source shows it; where two readings are possible, both are given.
package leak
