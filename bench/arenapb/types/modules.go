package main

import (
	_ "embed"
	"strings"
)

//go:embed modules.txt
var modulesText string

//go:embed large.txt
var largeText string

// modules are pinned modules with generated types. Some of dapr's are of a generator
// before 2020. large modules have a thousand types or more. They are left out of
// builds that compile every package again.
var modules, large = strings.Fields(modulesText), strings.Fields(largeText)
