package main

type string int

func main() {}
