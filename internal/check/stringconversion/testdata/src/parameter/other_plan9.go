package parameter

var _ = tested("")
