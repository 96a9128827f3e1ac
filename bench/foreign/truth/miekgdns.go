package truth

var miekgdns = Module{
	Name: "miekg-dns", Path: "github.com/miekg/dns", Version: "v1.1.73",
	Args:    []string{"-bench", "Pack|Unpack", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"msg.go:451", "string-conversion", "30% of the bytes: the name of a record"},
		{"msg.go:176-183", "map-without-size", "10% of the bytes: the map of a message's names grows"},
		{"msg_helpers.go:262-293", "string-conversion append-without-room", "15% of the bytes: the text of a record"},
		{"msg.go:786-792", "request-buffer", "6% of the bytes: the message"},
		{"msg.go:619-625", "", "7% of the bytes: a record"},
		{"ztypes.go:10-110", "", "9% of the bytes: constructors of records"},
		{"msg.go:760-784", "map-without-size", "the compression map of a message"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"msg.go:340-455", "", "the name is returned and kept by the record"},
		{"msg.go:460-760", "", "records are returned"},
		{"msg_helpers.go:1-900", "", "the text is kept by the record"},
		{"ztypes.go:10-110", "", "records are returned"},
		{"msg.go:786-792", "", "the packed message is returned to the caller; PackBuffer takes one"},
	},
	Mode: "a heap floor or GOGC=400",
}
