package demo

import (
	"regexp"
	"strconv"
)

// newCheckout has a line that compiles the same regular expression for each order.
func newCheckout() func() {
	order := 0
	valid := 0
	return func() {
		for range 60 {
			order++
			if validOrder("order-" + strconv.Itoa(order%1000)) {
				valid++
			}
		}
	}
}

func validOrder(id string) bool {
	return regexp.MustCompile(`^order-[0-9]{1,8}$`).MatchString(id)
}
