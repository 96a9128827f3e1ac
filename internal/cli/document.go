package cli

import (
	"os"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/result"
)

// document begins the document of an experiment that this command line asked for.
func (a arguments) document(seed uint64) *result.Document {
	doc := experiment.NewDocument()
	doc.Tool, doc.Command, doc.Seed = version(), a.typed, seed
	doc.Dir, _ = os.Getwd() // where it is unknown, the command is still worth recording
	return doc
}
