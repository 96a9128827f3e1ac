package main

import "testing"

func TestDecodeTable(t *testing.T) {
	for _, tags := range tableTags {
		result, err := decodeTable(t.Context(), t.TempDir(), tags)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d valid and %d invalid messages", tags, result.valid, result.invalid)
	}
}

func TestJSONTable(t *testing.T) {
	n, err := decodeJSONTable(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", n)
}
