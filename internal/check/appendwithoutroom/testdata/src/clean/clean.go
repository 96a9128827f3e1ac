package clean

type user struct {
	name string
	age  int
}

func breaks(users []user) []string {
	var out []string
	for _, u := range users {
		if u.age < 18 {
			break
		}
		out = append(out, u.name)
	}
	return out
}

func returns(users []user) []string {
	var out []string
	for _, u := range users {
		if u.age < 18 {
			return nil
		}
		out = append(out, u.name)
	}
	return out
}

func outer(rows [][]int) []int {
	var out []int
rows:
	for range 3 {
		var firsts []int
		for _, row := range rows {
			for _, n := range row {
				if n < 0 {
					continue rows
				}
			}
			firsts = append(firsts, row[0])
		}
		out = append(out, firsts...)
	}
	return out
}

func breaksSwitch(users []user) []string {
	var out []string
	for _, u := range users {
		switch {
		case u.age > 17:
			if u.name == "" {
				break
			}
			out = append(out, u.name)
		default:
			out = append(out, "a child")
		}
	}
	return out
}

func noDefault(users []user) []string {
	var out []string
	for _, u := range users {
		switch u.age {
		case 17:
			out = append(out, u.name)
		case 18:
			out = append(out, "adult")
		}
	}
	return out
}

func sized(users []user) []string {
	out := make([]string, 0, len(users))
	for _, u := range users {
		out = append(out, u.name)
	}
	return out
}

func channel(c chan int) []int {
	var all []int
	for n := range c {
		all = append(all, n)
	}
	return all
}

func runes(s string) []rune {
	var all []rune
	for _, r := range s {
		all = append(all, r)
	}
	return all
}

func iterator(seq func(func(int) bool)) []int {
	var all []int
	for n := range seq {
		all = append(all, n)
	}
	return all
}

func seen(users []user, see func([]string)) []string {
	var out []string
	for _, u := range users {
		out = append(out, u.name)
		see(out)
	}
	return out
}

func moving(queue []int) []int {
	var all []int
	for i := 0; i < len(queue); i++ {
		all = append(all, queue[i])
		queue = queue[1:]
	}
	return all
}

func captured(n int, f func(func())) []int {
	var all []int
	f(func() { n++ })
	for i := 0; i < n; i++ {
		all = append(all, i)
	}
	return all
}

func filled(first []int, users []user) []int {
	out := first
	for _, u := range users {
		out = append(out, u.age)
	}
	return out
}

func used(users []user) []int {
	var out []int
	out = append(out, 1)
	for _, u := range users {
		out = append(out, u.age)
	}
	return out
}

func once() []int {
	var out []int
	for i := range 1 {
		out = append(out, i)
	}
	return out
}
