module example.org/t

go 1.26

require github.com/heapwright/heapwright/arena v0.1.0

replace github.com/heapwright/heapwright/arena v0.1.0 => ../../../../arena
