package mcp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/loopback"
)

// Limits of a server on the network.
const (
	maxBody       = 1 << 20  // Of a request, in bytes.
	maxHeader     = 64 << 10 // Of a request, in bytes.
	headerTimeout = 5 * time.Second
	bodyTimeout   = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	// stopTimeout is how long requests may go on when the server is stopped.
	stopTimeout = 6 * time.Second
)

// Listen opens an address. One that other machines can reach needs remote.
func Listen(ctx context.Context, address string, remote bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: give HOST:PORT, such as 127.0.0.1:7878", address)
	}
	if !remote && !loopback.Is(host) {
		return nil, hint.New(address+" can be reached from other machines; the memory is served on a loopback address only, such as 127.0.0.1:7878",
			"--allow-remote serves it there: whoever has the token then reads everything in the scope, and nothing is encrypted")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

// ServeHTTP answers clients on a listener until the context is cancelled. Every request needs
// the token. Requests in flight are answered before it returns, if that takes a few seconds.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, token string) error {
	defer s.Close()
	server := &http.Server{
		Handler: s.Handler(l.Addr().String(), token), ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
	}
	var failure error
	failed := make(chan struct{})
	go func() {
		defer close(failed)
		failure = server.Serve(l)
	}()
	select {
	case <-failed:
		return fmt.Errorf("serve: %w", failure)
	case <-ctx.Done():
	}
	s.health.stop()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		_ = server.Close() // Whoever still waits gets no answer.
	}
	<-failed
	return ctx.Err()
}

// metricsPath is where the metrics are.
const metricsPath = "/metrics"

// refuseMetrics answers a request for metrics where the server shows a part of the conversations only.
func refuseMetrics(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "the metrics are of the whole database, and this server is limited to a part of it; lcm-tui work --watch --listen ADDRESS serves them", http.StatusForbidden)
}

// Handler answers HTTP requests to an address. It refuses those of other web sites, those under
// another name, and those without the token, in this order.
func (s *Server) Handler(address, token string) http.Handler {
	protocol := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
	})
	guarded, metrics := loopback.Guard(checkIDs(protocol), address, token), http.Handler(nil)
	switch {
	case s.Metrics != nil && s.Scope != nil: // They are of the whole file.
		metrics = loopback.Guard(http.HandlerFunc(refuseMetrics), address, token)
	case s.Metrics != nil:
		metrics = loopback.Guard(s.Metrics, address, token)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case metrics != nil && r.URL.Path == metricsPath:
			w.Header().Set("Cache-Control", "no-store")
			metrics.ServeHTTP(w, r)
			return
		case r.URL.Path != "/" && r.URL.Path != "/mcp":
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "there is nothing here; the server is at /mcp", http.StatusNotFound)
			return
		}
		guarded.ServeHTTP(w, r)
	})
}
