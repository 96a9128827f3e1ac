package arena

// Text is the place of strings and bytes that a decoder reads from its input. arenapb and
// arenajson have such decoders. The zero value is the safe choice: text that may be
// kept when the arena has ended.
type Text uint8

const (
	// TextHeap copies the input into one block of the heap. Strings and bytes stay
	// valid when the arena ends; each keeps the whole block alive.
	TextHeap Text = iota

	// TextArena copies the input into the arena once. Strings and bytes refer to that
	// copy and die with the arena. It saves an allocation of the size of the input.
	TextArena

	// TextAlias lets strings and bytes refer to the input itself, which must not change
	// while they are used.
	TextAlias
)
