package main

type job struct{ data []byte }

// growingQueue has a consumer that takes one job of two.
type growingQueue struct{ jobs chan *job }

func newGrowingQueue() *growingQueue { return &growingQueue{jobs: make(chan *job, 1<<20)} }

func (q *growingQueue) push(n int) {
	j := &job{make([]byte, entry)}
	q.jobs <- j // grows: channel
	if n%2 == 0 {
		<-q.jobs
	}
}

// steadyQueue has a backlog of jobs, and one is taken for each that comes.
type steadyQueue struct{ jobs chan *job }

func newSteadyQueue() *steadyQueue { return &steadyQueue{jobs: make(chan *job, 2*bound)} }

func (q *steadyQueue) push(int) {
	j := &job{make([]byte, entry)}
	q.jobs <- j
	if len(q.jobs) > bound {
		<-q.jobs
	}
}
