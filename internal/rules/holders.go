package rules

// A holder is something that keeps memory and is not one of the program's own containers: a
// context, a timer, a vector of metrics. Each kind has its own remedy.
type holder struct {
	callees []string // functions that hand memory to it, by the beginning of their names
	title   string
	remedy  string
	example string
	// captures is set if the holder gets a function, which keeps everything that it refers to.
	captures bool
}

// holders are recognized by the functions through which memory is allocated. The first that
// fits counts.
var holders = []*holder{
	{
		callees: []string{"context.AfterFunc"}, captures: true,
		title: "context.AfterFunc keeps its function until the context ends",
		remedy: "Call the stop function that context.AfterFunc returns as soon as the work is done. Until " +
			"the context ends, it keeps the function and all that the function refers to.",
		example: "stop := context.AfterFunc(ctx, func() { conn.Close() })\ndefer stop()",
	},
	chained,
	children,
	{
		callees: []string{"time.AfterFunc"}, captures: true,
		title: "time.AfterFunc keeps its function until the timer fires",
		remedy: "Stop the timer as soon as it is not needed. Until it fires, the runtime keeps it, its " +
			"function and all that the function refers to. One timer that is Reset serves a loop.",
		example: "t := time.AfterFunc(limit, conn.abort)\ndefer t.Stop()",
	},
	{
		callees: []string{"time.NewTimer", "time.After", "time.NewTicker", "time.Tick"},
		title:   "timers that nobody stops stay",
		remedy: "Stop each timer and ticker when it is not needed any more. In a module with go below 1.23 " +
			"(asynctimerchan=1), the runtime keeps a ticker for ever, and a timer until it fires. " +
			"One timer that is Reset serves a loop.",
		example: "t := time.NewTimer(limit)\ndefer t.Stop()",
	},
	{
		callees: []string{"github.com/prometheus/client_golang/prometheus.", "github.com/VictoriaMetrics/metrics."},
		title:   "each combination of label values is kept as a series",
		remedy: "Bound the values of the labels: no request, user, address or path with an identifier in it. " +
			"A vector keeps a series for each combination of values for ever. " +
			"Delete the series (DeleteLabelValues) when the thing that it counts ends.",
		example: "requests.WithLabelValues(method, route).Inc() // the route's pattern, not the path",
	},
	{
		callees: []string{"go.opentelemetry.io/otel/sdk/metric", "go.opentelemetry.io/otel/attribute."},
		title:   "each combination of attributes is kept as a series",
		remedy: "Bound the values of the attributes, or drop the unbounded ones in a View with an " +
			"AttributeFilter: no request, user, address or path with an identifier in it. The SDK keeps a series " +
			"for each combination.",
		example: "counter.Add(ctx, 1, metric.WithAttributes(semconv.HTTPRoute(route))) // not the path",
	},
	{
		callees: []string{
			"github.com/rcrowley/go-metrics.NewMeter", "github.com/rcrowley/go-metrics.NewTimer",
			"github.com/rcrowley/go-metrics.newStandardMeter", "github.com/rcrowley/go-metrics.NewEWMA",
		},
		title: "each meter is kept until it is stopped",
		remedy: "Make each meter and timer once. GetOrRegister(name, metrics.NewTimer()) makes one at every call, also " +
			"if the name exists, and the library keeps its meter for ever: pass the constructor, " +
			"GetOrRegister(name, metrics.NewTimer), or use GetOrRegisterTimer. Call Stop when it is no longer used.",
		example: "metrics.GetOrRegisterTimer(name, registry).Update(d)",
	},
	{
		callees: []string{"github.com/gorilla/context."},
		title:   "values beside a request are kept until that very request is cleared",
		remedy: "The package keeps the values in a global map, by the pointer of the request. WithContext makes " +
			"another request, whose entry no ClearHandler outside of it removes. Keep the value in the request's " +
			"own context, with context.WithValue and r.Context(), or clear within the handler that made the copy.",
		example: "next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key, value)))",
	},
	{
		callees: []string{"expvar.(*Map)", "expvar.New", "expvar.Publish", "github.com/armon/go-metrics", "github.com/hashicorp/go-metrics", "github.com/rcrowley/go-metrics"},
		title:   "each name of a metric is kept",
		remedy: "Bound the names: no request, user or address in them. A registry keeps a variable for " +
			"each name for ever.",
		example: "requests.Add(route, 1) // the route's pattern, not the path",
	},
	{
		callees: []string{"os/signal.Notify"},
		title:   "signal handlers that are never stopped stay",
		remedy: "Call signal.Stop with the channel, or the stop function of NotifyContext, when the handler " +
			"is not needed any more.",
		example: "ctx, stop := signal.NotifyContext(ctx, os.Interrupt)\ndefer stop()",
	},
	{
		callees: []string{"database/sql.(*DB).Prepare", "database/sql.(*Tx).Prepare", "database/sql.(*Conn).Prepare"},
		title:   "prepared statements that are never closed stay",
		remedy: "Prepare each statement once and keep it, or Close it when its work is done: the DB keeps " +
			"it, and its connection too.",
		example: "stmt, err := db.PrepareContext(ctx, query)\nif err != nil {\n\treturn err\n}\ndefer stmt.Close()",
	},
	{
		callees: []string{"reflect.StructOf", "reflect.FuncOf", "reflect.MapOf", "reflect.SliceOf", "reflect.ArrayOf", "reflect.ChanOf"},
		title:   "types that are made at run time stay for ever",
		remedy: "Make each type once and keep it by its description: the runtime never frees a type. Where the " +
			"number of different types has no bound, do without them: ArrayOf makes one for each length, and " +
			"MakeSlice of SliceOf makes memory of any length with a single one.",
		example: "t, ok := types[key]\nif !ok {\n\tt = reflect.StructOf(fields)\n\ttypes[key] = t\n}",
	},
}

// chained is the holder of contexts that are made from the last one, and of their values.
var chained = &holder{
	callees: []string{"context.WithValue"},
	title:   "a context keeps the one that it is made from",
	remedy: "Make each context from the one outside of the loop, in a new variable. Where a context is made " +
		"from the last one and assigned to the same variable, the chain grows without end, and each lookup " +
		"walks it.",
	example: "for m := range messages {\n\tctx := context.WithValue(ctx, key, m.ID) // a new variable in each round\n" +
		"\thandle(ctx, m)\n}",
}

// wrapped is the holder of functions that call the last one.
var wrapped = &holder{
	title: "each function or handler wraps the last one",
	remedy: "Wrap the first one each time, in a new variable of the loop or the call, or wrap once, where the program " +
		"starts. A variable that lives longer gets another layer each time: the layers stay, and each call runs " +
		"through all of them.",
	example: "handler := next // a new variable in each call\nfor _, wrap := range wrappers {\n" +
		"\thandler = wrap(handler)\n}",
}

// children is the holder of contexts that can be cancelled.
var children = &holder{
	callees: []string{"context.With", "context.(*cancelCtx)", "context.withCancel", "context.propagateCancel"},
	title:   "child contexts stay in their parent until they are cancelled",
	remedy: "Call the cancel function on every path as soon as the work is done, with defer where the " +
		"function ends with it. Until then the parent keeps the child context and its timer. " +
		"Where a loop assigns the context to the outer variable, make a new variable in each round.",
	example: "ctx, cancel := context.WithTimeout(parent, limit)\ndefer cancel()",
}

// values is the holder of memory that contexts probably refer to.
var values = &holder{
	title:   "it stays beside contexts that are not cancelled, and may be one of their values",
	remedy:  children.remedy + " If the contexts do not refer to it, its holder is not known.",
	example: children.example,
}

// finalized is the holder of objects with a finalizer, which the line itself sets.
var finalized = &holder{
	title: "an object with a finalizer is not freed if it is part of a cycle",
	remedy: "Set no finalizer on an object that refers to itself through others: the collector never frees such a cycle, as runtime.SetFinalizer documents. " +
		"Close the object explicitly, or use runtime.AddCleanup with an argument that does not refer to it.",
	example: "runtime.AddCleanup(c, func(fd int) { syscall.Close(fd) }, c.fd) // the argument is not c",
}

// cleaned is the holder of objects with a cleanup.
var cleaned = &holder{
	title: "an object is never freed if its cleanup, or the argument of that, leads back to it",
	remedy: "Give runtime.AddCleanup a function and an argument from which the object cannot be reached: no closure, " +
		"method value or field that leads back to it, as its documentation warns. Or Close the object explicitly where " +
		"its use ends.",
	example: "runtime.AddCleanup(c, func(fd int) { syscall.Close(fd) }, c.fd) // the argument does not lead to c",
}

// deferred is the holder of memory that deferred calls in a loop refer to.
var deferred = &holder{
	title: "deferred calls pile up in a loop",
	remedy: "Close each value in the loop as soon as it is done, or make the body of the loop a function of its " +
		"own, whose deferred calls run when it returns. Until the function around the loop returns, each deferred " +
		"call keeps what it refers to.",
	example: "for _, e := range events {\n\tstore(e) // defers in a function of its own\n}",
}

// written is the holder of a buffer's array that becomes larger and larger.
var written = &holder{
	title: "a buffer that is written to, and never emptied, grows",
	remedy: "It holds all that was ever written to it. Write straight to where the bytes go, or keep only the end " +
		"of them, with a bound. Where a message is collected, Reset it after each one. The output of a command or a " +
		"connection that does not end fits into no buffer.",
	example: "if out.Len() > 64<<10 { // keep the end\n\tout.Next(out.Len() - 64<<10)\n}",
}

// pooled is the holder of large objects in a sync.Pool.
var pooled = &holder{
	title: "a pool keeps buffers at their largest size",
	remedy: "Put no buffer back whose capacity exceeds a bound: a few large requests make every buffer of the pool large, and buffers that are used again are never freed. " +
		"Use pools by size where sizes differ.",
	example: "if cap(b.Bytes()) <= 64<<10 { // larger ones go to the collector\n\tpool.Put(b)\n}",
}
