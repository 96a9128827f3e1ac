package cli

import "flag"

var modesCommand = command{name: "modes", short: "list what can be varied on this machine", prepare: func(fs *flag.FlagSet) runner { return nil }}
