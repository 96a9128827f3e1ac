package arenajson

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/heapwright/heapwright/arena/internal/jsontext"
)

// quoted decodes the value of a field with the option string.
func (d *decoder) quoted(n *node, at, p unsafe.Pointer) unsafe.Pointer {
	if jsontext.Char(p) != '"' {
		return nil
	}
	s, end := d.str(unsafe.Add(p, 1))
	if n.op == opPointer {
		sub := (*unsafe.Pointer)(at)
		if *sub == nil {
			*sub = d.One(n.elem.slab, n.elem.size)
		}
		n, at = n.elem, *sub
	}
	if !n.inString(at, s) {
		return nil
	}
	return end
}

// inString stores the value that s stands for, and reports whether it could. It leaves
// null and text that is not UTF-8 to json.Unmarshal, whose versions differ there.
func (n *node) inString(at unsafe.Pointer, s string) bool {
	if s == "" {
		return false
	}
	number := s[0] == '-' || jsontext.Digit(s[0])
	switch {
	case n.op == opBool && (s == "true" || s == "false"):
		*(*bool)(at) = s == "true"
	case n.op == opInt && number:
		i, err := strconv.ParseInt(s, 10, int(n.bits))
		n.store(at, uint64(i))
		return err == nil
	case n.op == opUint && number:
		u, err := strconv.ParseUint(s, 10, int(n.bits))
		n.store(at, u)
		return err == nil
	case n.op == opFloat && number:
		return n.parseFloat(at, s)
	case n.op == opString && s[0] == '"' && s[len(s)-1] == '"': // no space around the quotes
		var text string
		if json.Unmarshal([]byte(s), &text) != nil || text == "null" || strings.ContainsRune(text, utf8.RuneError) {
			return false
		}
		*(*string)(at) = text
	default:
		return false
	}
	return true
}
