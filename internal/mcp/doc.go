// Package mcp offers diagnosing, pricing and judging patches as tools of the Model Context
// Protocol, so that a coding agent can find what costs memory and prove its changes.
//
// The stance: the client is a program that may be wrong or misled. A call reaches only
// folders below the one that the server was started in, takes a bounded time, and changes
// nothing but the output folder. A patch is judged exactly as fix judges one, by the code of
// package fix. Answers are short tables of functions and lines with intervals, and say how
// much of the program they account for; a mistake in a call is answered with its remedy.
package mcp
