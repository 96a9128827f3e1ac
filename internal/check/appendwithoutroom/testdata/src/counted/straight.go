package counted

import (
	"strconv"
	"strings"
)

func name(first, last string, n int) string {
	var b strings.Builder
	b.WriteString(first) // want `b grows to a length that is known before`
	b.WriteByte(' ')
	b.WriteString(last)
	b.WriteString(strconv.Itoa(n))
	return b.String()
}

func key(prefix, name []byte) []byte {
	var key []byte
	key = append(key, prefix...) // want `key grows to a length`
	key = append(key, '/')
	key = append(key, name...)
	return key
}

func zeroKey(prefix, name string) []byte {
	key := make([]byte, 0)
	key = append(key, prefix...) // want `key grows to a length`
	key = append(key, name...)
	return key
}

func slashKey(prefix string) []byte {
	key := []byte{}
	key = append(key, prefix...) // want `key grows to a length`
	key = append(key, '/')
	println(len(key))
	return key
}

// Not reported from here on.

func emptyKey(prefix string, names []string) []byte {
	key := []byte{}
	key = append(key, prefix...)
	key = append(key, '/')
	for _, name := range names {
		key = append(key, strings.ToUpper(name)...)
	}
	return key
}

func nilKey(prefix, name []byte) []byte {
	var key []byte
	key = append(key, prefix...)
	key = append(key, name...)
	return key
}

func lateName(prefix []byte, load func() []byte) []byte {
	var key []byte
	key = append(key, '/')
	name := load()
	key = append(key, name...)
	return key
}

func one(prefix []byte) []byte {
	var key []byte
	key = append(key, prefix...)
	return key
}

func pointer(u *user) string {
	var b strings.Builder
	b.WriteString(u.name)
	b.WriteString(" ")
	return b.String()
}
