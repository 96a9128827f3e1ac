// Package querierpb has the messages of Pyroscope's query API, generated from a
// description of the few that are exchanged here.
package querierpb
