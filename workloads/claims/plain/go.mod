module github.com/heapwright/heapwright/workloads/claims/plain

go 1.20
