package diagnose

func init() {
	register(Rule{
		Name:  ruleTimer,
		Title: "a timer is made each time round",
		Doc: `Looks for time.After, NewTimer, NewTicker and AfterFunc, by the call path. Before Go 1.23, what time.After
made was kept until it fired. It is wrong where each timer is its own: a deadline of a request.`,
		Remedy: "Make one timer before the loop and Reset it.",
		Example: `timer := time.NewTimer(timeout)
defer timer.Stop()
for {
	timer.Reset(timeout)
	select {
	case v := <-in:
		use(v)
	case <-timer.C:
		return errTimeout
	}
}`,
		Risk: "Before Go 1.23, a timer has to be stopped and its channel drained before Reset.",
		Find: fromCauses(ruleTimer, 0.7, 1, func(e *Evidence, c *cause, f *Finding) {
			f.Title = shortName(c.callee) + " makes a timer each time round"
		}),
	})
}
