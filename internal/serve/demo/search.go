package demo

import "fmt"

// newSearch has a line that formats the key of a cache for each document.
func newSearch() func() {
	cache := map[string]int{}
	query := 0
	return func() {
		query++
		for document := range 3000 {
			cache[cacheKey("products", query%4, document%500)]++
		}
	}
}

func cacheKey(index string, shard, document int) string {
	return fmt.Sprintf("%s/%d/%d", index, shard, document)
}
