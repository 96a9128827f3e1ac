package leak

import "strings"

// known are goroutines of libraries, by the beginning of their functions' names, that end in
// another way than by a Close of the value that started them.
var known = []struct{ function, remedy, example string }{
	{
		function: "k8s.io/client-go/tools/cache.(*processorListener).",
		remedy: "Each AddEventHandler of a shared informer starts two goroutines, which end with the informer. " +
			"Keep the registration that it returns, and give it to RemoveEventHandler where the controller stops.",
		example: "registration, err := informer.AddEventHandler(handler)\nif err != nil {\n\treturn err\n}\n" +
			"defer informer.RemoveEventHandler(registration)",
	},
	{
		function: "k8s.io/client-go/tools/cache.",
		remedy: "An informer and a reflector run until their stop channel is closed or their context ends: close " +
			"it where the controller stops, or share one informer for each kind of object (a SharedInformerFactory).",
		example: "stop := make(chan struct{})\ndefer close(stop)\ngo informer.Run(stop)",
	},
	{
		function: "k8s.io/apimachinery/pkg/watch.",
		remedy: "An event broadcaster runs until Shutdown, and a watch until Stop: make one for the process, or " +
			"end it where its controller stops.",
		example: "broadcaster := record.NewBroadcaster()\ndefer broadcaster.Shutdown()",
	},
	{
		function: "google.golang.org/grpc.newClientStreamWithParams",
		remedy: "A stream is released once Recv has returned an error, io.EOF included, or its context has ended. " +
			"CloseSend only ends the sending. Where a stream is left early, cancel its context with defer.",
		example: "ctx, cancel := context.WithCancel(ctx)\ndefer cancel() // ends the stream on every path\n" +
			"stream, err := client.Watch(ctx, request)",
	},
	{
		function: "github.com/rabbitmq/amqp091-go.",
		remedy:   amqpReads,
		example:  amqpExample,
	},
	{
		function: "github.com/streadway/amqp.",
		remedy:   amqpReads,
		example:  amqpExample,
	},
	{
		function: "gopkg.in/natefinch/lumberjack.v2.(*Logger).",
		remedy: "The goroutine of a Logger never ends, not even with Close. Make one Logger for each file, once " +
			"for the whole program.",
		example: "var out = &lumberjack.Logger{Filename: name} // one for the process",
	},
	{
		function: "github.com/IBM/sarama.",
		remedy: "A producer and a consumer run until Close or AsyncClose, and wait until somebody reads Errors " +
			"and, if they are asked for, Successes. Read these until they are closed.",
		example: "go func() {\n\tfor err := range producer.Errors() {\n\t\tlog.Print(err)\n\t}\n}()\n" +
			"defer producer.Close()",
	},
	{
		function: "github.com/robfig/cron/v3.",
		remedy: "Each tick starts a goroutine, also while the last run has not ended. Wrap the job with " +
			"cron.SkipIfStillRunning, and give it a deadline.",
		example: "c := cron.New(cron.WithChain(cron.SkipIfStillRunning(cron.DefaultLogger)))",
	},
}

const (
	amqpReads = "The library waits until somebody reads: read the channels of Consume, NotifyClose, NotifyPublish " +
		"and their like until they are closed, or give them room. Close the channel and the connection on every path."
	amqpExample = "closed := connection.NotifyClose(make(chan *amqp.Error, 1)) // the library never waits"
)

// knowing puts the remedy of a known library first.
func (l *Leak) knowing(function string) {
	for _, k := range known {
		if strings.HasPrefix(function, k.function) {
			l.Remedy, l.Example = k.remedy+" "+l.Remedy, k.example
			return
		}
	}
}
