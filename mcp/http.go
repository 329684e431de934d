package mcp

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
)

// Limits of a server on the network.
const (
	maxBody       = 1 << 20  // Of a request, in bytes.
	maxHeader     = 64 << 10 // Of a request, in bytes.
	headerTimeout = 5 * time.Second
	bodyTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	// stopTimeout is how long requests may go on when the server is stopped.
	stopTimeout = 6 * time.Second
	tokenBytes  = 32
)

// Listen opens an address. One that other machines can reach needs remote.
func Listen(ctx context.Context, address string, remote bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: give HOST:PORT, such as 127.0.0.1:7878", address)
	}
	if !remote && !isLoopback(host) {
		return nil, hint.New(address+" can be reached from other machines; the memory is served on a loopback address only, such as 127.0.0.1:7878",
			"--allow-remote serves it there: whoever has the token then reads everything in the scope, and nothing is encrypted")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

// isLoopback reports whether a host names this machine to itself only.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
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

// Handler answers HTTP requests to an address. It refuses those of other web sites, those under
// another name, and those without the token, in this order.
func (s *Server) Handler(address, token string) http.Handler {
	protocol := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
	})
	local := false
	if host, _, err := net.SplitHostPort(address); err == nil {
		local = isLoopback(host)
	}
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case r.URL.Path != "/" && r.URL.Path != "/mcp" && (s.Metrics == nil || r.URL.Path != metricsPath):
			http.Error(w, "there is nothing here; the server is at /mcp", http.StatusNotFound)
		case origins.Check(asPost(r)) != nil:
			http.Error(w, "requests of other web sites are refused", http.StatusForbidden)
		case local && !isLoopback(hostOf(r.Host)):
			http.Error(w, "the server answers to the names 127.0.0.1, [::1] and localhost only", http.StatusForbidden)
		case !hasToken(r, token):
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "the token is missing or wrong", http.StatusUnauthorized)
		case r.URL.Path == metricsPath:
			s.Metrics.ServeHTTP(w, r)
		default:
			protocol.ServeHTTP(w, r)
		}
	})
}

// asPost returns the request as one that changes something: the library's check of origins lets
// others pass.
func asPost(r *http.Request) *http.Request {
	copied := *r
	copied.Method = http.MethodPost
	return &copied
}

// hostOf returns a host header without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// hasToken compares in a time that says nothing about the token.
func hasToken(r *http.Request, token string) bool {
	kind, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return token != "" && strings.EqualFold(kind, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
}

// ErrTokenShared says that others than its owner may read a file with a token.
var ErrTokenShared = errors.New("others may read the file with the token: delete it, and a new token is made")

// Token reads the token that clients have to send from a file that its owner alone may read. If
// there is no such file, it makes one with a new token.
func Token(path string) (token string, isNew bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		token, err = newToken(path)
		return token, true, err
	case err != nil:
		return "", false, fmt.Errorf("read token: %w", err)
	case !isPrivate(info):
		return "", false, fmt.Errorf("read token %s: %w", path, ErrTokenShared)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("read token: %w", err)
	}
	token = strings.TrimSpace(string(text))
	if raw, err := hex.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", false, fmt.Errorf("read token %s: it is no token of %d bytes; delete the file, and a new one is made", path, tokenBytes)
	}
	return token, false, nil
}

// newToken makes a token and its file. It replaces no file.
func newToken(path string) (string, error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // It never fails.
	token := hex.EncodeToString(raw)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	if err := atomicfile.Write(path, []byte(token+"\n"), atomicfile.Options{}); err != nil {
		return "", fmt.Errorf("make token: %w", err)
	}
	return token, nil
}
