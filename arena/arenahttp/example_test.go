package arenahttp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenahttp"
)

// A page is built in the request's arena and written before the handler returns;
// after that it is gone.
func Example() {
	greet := func(w http.ResponseWriter, r *http.Request) {
		a := arena.FromContext(r.Context())
		page := arena.NewBuffer(a, 0)
		fmt.Fprintf(page, "Hello, %s!", r.URL.Query().Get("name"))
		w.Header().Set("Content-Type", "text/plain") // never a string of the arena
		w.Write(page.Bytes())
	}

	var pool arena.Pool // one for the server: requests share the memory
	server := httptest.NewServer(arenahttp.NewHandler(http.HandlerFunc(greet), &pool))
	defer server.Close()

	response, err := http.Get(server.URL + "?name=Gopher")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fmt.Println(string(body), err)
	// Output: Hello, Gopher! <nil>
}
