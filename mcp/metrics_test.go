package mcp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/mcp"
)

// TestMetricsNeedTheToken: they are given under the same rules as the tools, and only where there are some and the server
// shows all conversations, since they are of all.
func TestMetricsNeedTheToken(t *testing.T) {
	t.Parallel()
	o := options(testdb.Sample(t, fakehost.Head))
	without := mcp.New(o)
	t.Cleanup(without.Close)
	o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "lcm_messages 56\n") })
	with := mcp.New(o)
	t.Cleanup(with.Close)
	o.Scope = only(1)
	limited := mcp.New(o)
	t.Cleanup(limited.Close)
	for name, c := range map[string]struct {
		server *mcp.Server
		change func(r *http.Request)
		status int
	}{
		"of a limited server":  {limited, func(*http.Request) {}, http.StatusForbidden},
		"limited, no token":    {limited, func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"good":                 {with, func(*http.Request) {}, http.StatusOK},
		"without a token":      {with, func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"with a wrong token":   {with, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token[:32]) }, http.StatusUnauthorized},
		"under another name":   {with, func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"of another site":      {with, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"below it":             {with, func(r *http.Request) { r.URL.Path = "/metrics/x" }, http.StatusNotFound},
		"where there are none": {without, func(*http.Request) {}, http.StatusNotFound},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:7878/metrics", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		c.change(r)
		w := httptest.NewRecorder()
		c.server.Handler("127.0.0.1:7878", token).ServeHTTP(w, r)
		if w.Code != c.status || (w.Body.String() == "lcm_messages 56\n") != (c.status == http.StatusOK) {
			t.Errorf("%s: status %d, want %d: %s", name, w.Code, c.status, w.Body)
		}
	}
}

// TestCallsAreMeasured: each call of a tool once, also one that fails.
func TestCallsAreMeasured(t *testing.T) {
	t.Parallel()
	o := options(testdb.Sample(t, fakehost.Head))
	var mu sync.Mutex
	var tools []string
	o.Observe = func(tool string, took time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		if took < 0 {
			t.Errorf("%s took %v", tool, took)
		}
		tools = append(tools, tool)
	}
	s := mcp.New(o)
	t.Cleanup(s.Close)
	for i, call := range []string{`{"name":"lcm_grep","arguments":{"pattern":"pool"}}`, `{"name":"lcm_expand","arguments":{"wrong":1}}`} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:7878/mcp", strings.NewReader(request(i+1, "tools/call", call)))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		s.Handler("127.0.0.1:7878", token).ServeHTTP(httptest.NewRecorder(), r)
	}
	if want := []string{"lcm_grep", "lcm_expand"}; !slices.Equal(tools, want) {
		t.Errorf("measured: %q, want %q", tools, want)
	}
}
