package cli

import (
	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
)

// document begins the document of an experiment that this command line asked for.
func (a arguments) document(seed uint64) *result.Document {
	doc := experiment.NewDocument()
	doc.Tool, doc.Command, doc.Dir, doc.Seed = version(), a.typed, a.dir, seed
	return doc
}
