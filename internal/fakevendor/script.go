package fakevendor

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Script plays a server that answers with given replies, one after the other. A reply such as
// "status 503" is an error; where there are no more it never answers.
type Script struct {
	*httptest.Server
	mu      sync.Mutex
	replies []string
	bodies  []map[string]any
}

// NewScript starts a server with replies, which ends with the test.
func NewScript(t *testing.T, replies ...string) *Script {
	t.Helper()
	s := &Script{replies: replies}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body := map[string]any{}
		_ = json.Unmarshal(b, &body)
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies = append(s.bodies, body)
		s.mu.Unlock()
		if n >= len(s.replies) {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if status := strings.TrimPrefix(s.replies[n], "status "); status != s.replies[n] {
			code := 0
			_, _ = fmt.Sscan(status, &code)
			w.WriteHeader(code)
			fmt.Fprint(w, `{"error":{"message":"no"}}`)
			return
		}
		fmt.Fprint(w, s.replies[n])
	}))
	t.Cleanup(s.Close)
	return s
}

// Bodies lists the requests, in their order.
func (s *Script) Bodies() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bodies)
}
