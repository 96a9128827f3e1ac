// Command bare does nothing. Builds of it with another experiment compile little of the
// standard library again.
package main

func main() {}
