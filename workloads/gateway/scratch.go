package main

// scratch is a request's working memory: a chain of small records, as parsers,
// templates and loggers leave behind them.
type scratch struct {
	next *scratch
	data [120]byte
}

// work takes about n bytes of working memory.
func work(n int) *scratch {
	var head *scratch
	for range n / 128 {
		head = &scratch{next: head}
	}
	return head
}

// trailer is the end of the answer. It depends on the working memory, which so
// stays reachable until the request ends.
func (s *scratch) trailer() []byte {
	if s == nil {
		return []byte("\n")
	}
	return []byte{'\n' + s.data[0]}
}
