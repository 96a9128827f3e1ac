//go:build arenadebug && goarena && goexperiment.arenas && !heaparena

package arena

// The quarantine must outlive the arenas whose memory it looks at. Go frees that
// memory with the arena, so that a look would end the program.
var _ = the_tags_goarena_and_arenadebug_exclude_each_other_drop_one
