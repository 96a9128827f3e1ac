package hard

import "os"

var metrics, runtime, time, sync = 1, 2, 3, 4

func max(a, b int) int { return a + b + len(os.Args) }

var Sink []byte
