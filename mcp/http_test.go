package mcp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/engine/ask"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/mcp"
)

const token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := mcp.New(options(testdb.Sample(t, fakehost.Head)))
	t.Cleanup(s.Close)
	h := s.Handler("127.0.0.1:7878", token)
	ping := strings.TrimSpace(request(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`))
	for name, c := range map[string]struct {
		change func(r *http.Request)
		body   string
		status int
	}{
		"good":                        {func(*http.Request) {}, ping, http.StatusOK},
		"by another loopback name":    {func(r *http.Request) { r.Host = "localhost:7878" }, ping, http.StatusOK},
		"IPv6":                        {func(r *http.Request) { r.Host = "[::1]:7878" }, ping, http.StatusOK},
		"of its own origin":           {func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:7878") }, ping, http.StatusOK},
		"at the root":                 {func(r *http.Request) { r.URL.Path = "/" }, ping, http.StatusOK},
		"without a token":             {func(r *http.Request) { r.Header.Del("Authorization") }, ping, http.StatusUnauthorized},
		"with a wrong token":          {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("0", 64)) }, ping, http.StatusUnauthorized},
		"with a part of the token":    {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token[:32]) }, ping, http.StatusUnauthorized},
		"with another kind of token":  {func(r *http.Request) { r.Header.Set("Authorization", "Basic "+token) }, ping, http.StatusUnauthorized},
		"with a token in the address": {func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + token }, ping, http.StatusUnauthorized},
		"of another site":             {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, ping, http.StatusForbidden},
		"of no site":                  {func(r *http.Request) { r.Header.Set("Origin", "null") }, ping, http.StatusForbidden},
		"across sites":                {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, ping, http.StatusForbidden},
		"a GET of another site":       {func(r *http.Request) { r.Method = http.MethodGet; r.Header.Set("Origin", "https://evil.example") }, "", http.StatusForbidden},
		"under another name":          {func(r *http.Request) { r.Host = "evil.example" }, ping, http.StatusForbidden},
		"under a name like ours":      {func(r *http.Request) { r.Host = "127.0.0.1.evil.example:7878" }, ping, http.StatusForbidden},
		"at another path":             {func(r *http.Request) { r.URL.Path = "/../etc/passwd" }, ping, http.StatusNotFound},
		"a GET":                       {func(r *http.Request) { r.Method = http.MethodGet }, "", http.StatusMethodNotAllowed},
		"a preflight":                 {func(r *http.Request) { r.Method = http.MethodOptions }, "", http.StatusMethodNotAllowed},
		"too long":                    {func(*http.Request) {}, strings.Repeat(" ", 1<<20) + ping, http.StatusRequestEntityTooLarge},
		"not JSON":                    {func(*http.Request) {}, "hello", http.StatusBadRequest},
		"with half an id":             {func(*http.Request) {}, strings.Replace(ping, `"id":1,`, `"id":1.5,`, 1), http.StatusBadRequest},
		"with half an id in a batch":  {func(*http.Request) {}, `[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":1.5,"method":"ping"}]`, http.StatusBadRequest},
		"that breaks off":             {func(r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF)) }, "", http.StatusBadRequest},
		"that stands still":           {func(r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(os.ErrDeadlineExceeded)) }, "", http.StatusRequestTimeout},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:7878/mcp", strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		c.change(r)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s: status %d, want %d: %s", name, w.Code, c.status, w.Body)
		}
		if strings.HasPrefix(name, "with half an id") && !strings.Contains(w.Body.String(), `"id":1.5`) {
			t.Errorf("%s: %s", name, w.Body)
		}
		if got := w.Result().Header; got.Get("Access-Control-Allow-Origin") != "" || got.Get("Cache-Control") == "" {
			t.Errorf("%s: headers %v", name, got)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1.example.com:0", "0177.0.0.1:0"} {
		l, err := mcp.Listen(t.Context(), address, false)
		if err == nil {
			_ = l.Close()
		}
		if !strings.Contains(hint.Of(err), "--allow-remote") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := mcp.Listen(t.Context(), "7878", false); err == nil || !strings.Contains(err.Error(), "HOST:PORT") {
		t.Errorf("without a host: %v", err)
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0", "127.8.8.8:0"} {
		l, err := mcp.Listen(t.Context(), address, false)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		_ = l.Close()
	}
	if l, err := mcp.Listen(t.Context(), "0.0.0.0:0", true); err != nil {
		t.Errorf("--allow-remote: %v", err)
	} else {
		_ = l.Close()
	}
}

// bearer adds the token to every request.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

func TestServeHTTP(t *testing.T) {
	t.Parallel()
	l, err := mcp.Listen(t.Context(), "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- mcp.New(options(testdb.Sample(t, fakehost.Head))).ServeHTTP(ctx, l, token)
	}()
	for _, version := range []string{handshakeVersion, statelessVersion} {
		client := sdk.NewClient(&sdk.Implementation{Name: "claude-code", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
			Endpoint: "http://" + l.Addr().String() + "/mcp", HTTPClient: &http.Client{Transport: bearer{}}, DisableStandaloneSSE: true,
		}, &sdk.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		if text, failed := callTool(t, session, "lcm_conversations", nil); failed || !strings.Contains(text, "- [conv=2]") {
			t.Errorf("%s: %s", version, text)
		}
		_ = session.Close()
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if again, err := mcp.Listen(t.Context(), l.Addr().String(), false); err != nil {
		t.Errorf("the address is still taken: %v", err)
	} else {
		_ = again.Close()
	}
}

// TestNamelessClients: who the client is stands in no request of the older protocol over HTTP, so that an answer is short enough for
// each, also for the one that keeps least.
func TestNamelessClients(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	testdb.Must(t, faults.Alter(path, "UPDATE messages SET content = replace(hex(zeroblob(900)), '00', 'long ') WHERE conversation_id = 1; DELETE FROM message_parts"))
	s := mcp.New(options(path))
	t.Cleanup(s.Close)
	server := httptest.NewServer(s.Handler("127.0.0.1:0", token))
	t.Cleanup(server.Close)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "codex", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{}}, DisableStandaloneSSE: true,
	}, &sdk.ClientSessionOptions{ProtocolVersion: handshakeVersion})
	testdb.Must(t, err)
	defer session.Close()
	text, failed := callTool(t, session, "lcm_recent", map[string]any{"conversationId": 1, "limit": 100, "maxTokens": 40_000})
	if failed || len(text) > 10_000 || !strings.Contains(text, "(truncated: ") {
		t.Errorf("%d bytes, failed %v: %.200s", len(text), failed, text)
	}
}

// meeting is a navigator that answers once two questions are asked.
type meeting struct{ asked *sync.WaitGroup }

func (meeting) Name() string { return "" }

func (m meeting) Navigate(ctx context.Context, _ ask.Task) (ask.Answer, error) {
	m.asked.Done()
	met := make(chan struct{})
	go func() {
		m.asked.Wait()
		close(met)
	}()
	select {
	case <-met:
		return ask.Answer{Text: "both are asked"}, nil
	case <-ctx.Done():
		return ask.Answer{}, ctx.Err()
	}
}

// TestClientsAskSideBySide: a client over HTTP doesn't wait for the answer of another one, which no request tells from it.
func TestClientsAskSideBySide(t *testing.T) {
	t.Parallel()
	m := makeMixed(t)
	o := options(m.path)
	var asked, answered sync.WaitGroup
	asked.Add(2)
	o.Asker = func() (*ask.Asker, error) { return &ask.Asker{Navigator: meeting{&asked}}, nil }
	s := mcp.New(o)
	t.Cleanup(s.Close)
	server := httptest.NewServer(s.Handler("127.0.0.1:0", token))
	t.Cleanup(server.Close)
	for range 2 {
		session, err := sdk.NewClient(&sdk.Implementation{Name: "codex", Version: "1"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{
			Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{}}, DisableStandaloneSSE: true,
		}, &sdk.ClientSessionOptions{ProtocolVersion: handshakeVersion})
		if err != nil {
			t.Fatal(err)
		}
		answered.Go(func() {
			defer session.Close()
			arguments := map[string]any{"prompt": "What?", "summaryIds": []string{m.own[1]}, "conversationId": 1, "timeoutMs": 20_000}
			if text, failed := callTool(t, session, "lcm_expand_query", arguments); failed || !strings.Contains(text, "both are asked") {
				t.Errorf("failed %v: %s", failed, text)
			}
		})
	}
	answered.Wait()
}
