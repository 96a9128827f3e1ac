module github.com/heapwright/heapwright

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/mattn/go-runewidth v0.0.16
	github.com/vbauerster/mpb/v8 v8.9.3
)

require (
	github.com/VividCortex/ewma v1.2.0 // indirect
	github.com/acarl005/stripansi v0.0.0-20180116102854-5a71ef0e047d // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	golang.org/x/sys v0.30.0 // indirect
)
