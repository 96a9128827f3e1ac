package outside_test

import "testing"

var os = 1

func Test(t *testing.T) {}
