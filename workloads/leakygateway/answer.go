package main

import (
	"encoding/json"
	"net/http"

	"github.com/heapwright/heapwright/workloads/program/service"
)

func answer(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // an error means that the client is gone
}

// refuse answers with the reason why a batch was not stored.
func refuse(w http.ResponseWriter, status int, reason error) {
	body, _ := json.Marshal(map[string]string{"error": service.Reason(reason)}) // strings always marshal
	answer(w, status, append(body, '\n'))
}
