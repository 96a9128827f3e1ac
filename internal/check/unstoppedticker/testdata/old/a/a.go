package a

import "time"

type s struct{ tick *time.Ticker }

func stopped(done chan bool) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	<-done
}

func kept() *s { return &s{tick: time.NewTicker(time.Second)} }

func missed(done chan bool) {
	tick := time.NewTicker(time.Second) // want "line 21 leaves without stopping the ticker"
	for {
		select {
		case <-tick.C:
		case <-done:
			return
		}
	}
}

func forever() {
	tick := time.NewTicker(time.Second)
	for range tick.C {
	}
}
