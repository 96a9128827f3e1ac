package stale

func (r *result) write(emit func(string)) { emit(r.name) }

func (r *result) writeReady(emit func(string)) {
	if r.ready {
		emit(r.name)
	}
}

func (r *result) rename(name string) { r.name = name }

func readByMethod(trace *string, emit func(string)) {
	r := results.Get().(*result)
	if trace != nil {
		r.name = *trace
	}
	r.write(emit)
	results.Put(r) // want `the pooled value keeps its field name`
}

func readUnderCondition(trace *string, emit func(string)) {
	r := results.Get().(*result)
	if trace != nil {
		r.name = *trace
	}
	r.writeReady(emit)
	results.Put(r)
}

func setByMethod(trace *string, emit func(string)) {
	r := results.Get().(*result)
	r.rename("")
	if trace != nil {
		r.name = *trace
	}
	r.write(emit)
	results.Put(r)
}

func readBefore(trace *string, emit func(string)) {
	r := results.Get().(*result)
	r.write(emit)
	if trace != nil {
		r.name = *trace
	}
	r.write(emit)
	results.Put(r)
}
