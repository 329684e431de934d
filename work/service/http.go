package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/loopback"
)

// Limits of the server.
const (
	headerTimeout = 5 * time.Second
	answerTimeout = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 16 << 10 // In bytes.
	stopTimeout   = time.Second
)

// unixPrefix is how an address names a socket in the file system.
const unixPrefix = "unix:"

// IsSocket reports whether an address names a socket in the file system, which needs no token: the system says who may
// open it.
func IsSocket(address string) bool { return strings.HasPrefix(address, unixPrefix) }

// Listen opens an address: HOST:PORT that only this machine reaches, or unix:PATH. The socket of a process that is gone
// is replaced; nothing else is.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		return listenSocket(ctx, path)
	}
	host, _, err := net.SplitHostPort(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is no address: give HOST:PORT, such as 127.0.0.1:7879, or unix:PATH", address)
	case !loopback.Is(host):
		return nil, hint.New(address+" can be reached from other machines, and nothing is encrypted",
			"give a loopback address, such as 127.0.0.1:7879, or unix:PATH; a server of your own can pass requests on")
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

func listenSocket(ctx context.Context, path string) (net.Listener, error) {
	if path == "" {
		return nil, errors.New("unix: names no socket: give unix:PATH")
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode()&os.ModeSocket == 0:
		return nil, fmt.Errorf("%s is there and is no socket: give another path", path)
	case err == nil:
		if c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", path); err == nil {
			_ = c.Close()
			return nil, fmt.Errorf("another process listens on %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("listen: %w", err)
		}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), l.Close())
	}
	return l, nil
}

// Handlers answer requests beside those for the health of a service, by path.
type Handlers map[string]http.Handler

// Handler answers /healthz, /readyz, and what others mount, by path. With a token every request to an address needs it;
// without one nobody is asked, which is for sockets alone.
func (s *Service) Handler(address, token string, others Handlers) http.Handler {
	s.init()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /readyz", s.readiness)
	for path, h := range others {
		mux.Handle(path, h)
	}
	if IsSocket(address) {
		return mux
	}
	return loopback.Guard(mux, address, token)
}

// health answers with 200 where nobody has to look after the service, else with 503.
func (s *Service) health(w http.ResponseWriter, _ *http.Request) {
	status := s.Status()
	code := http.StatusOK
	if !status.IsHealthy() {
		code = http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status) // Whoever asked may be gone.
}

// readiness answers with 200 once there was a pass.
func (s *Service) readiness(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	ready := s.ready
	s.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	if !ready {
		http.Error(w, "the first pass isn't over", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n")) // Whoever asked may be gone.
}

// Serve answers requests on a listener until the context is cancelled.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: answerTimeout, WriteTimeout: answerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
	}
	stop := context.AfterFunc(ctx, func() {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		if server.Shutdown(patience) != nil {
			_ = server.Close() // Whoever still waits gets no answer.
		}
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return ctx.Err()
}
