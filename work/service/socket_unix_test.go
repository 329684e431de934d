//go:build unix

package service_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/work/service"
)

// checkSocket listens on a socket, which is private, and replaces one that nobody listens on any more.
func checkSocket(t *testing.T, path string) {
	t.Helper()
	l, err := service.Listen(t.Context(), "unix:"+path)
	testdb.Must(t, err)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if other, err := service.Listen(t.Context(), "unix:"+path); err == nil {
		_ = other.Close()
		t.Error("two listen on one socket")
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // As a process that is killed leaves it.
	testdb.Must(t, l.Close())
	again, err := service.Listen(t.Context(), "unix:"+path)
	testdb.Must(t, err)

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	s := newServed(t)
	go func() { ended <- service.Serve(ctx, again, s.Handler("unix:"+path, "", nil)) }()
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://service/healthz", nil)
	testdb.Must(t, err)
	answer, err := client.Do(r)
	testdb.Must(t, err)
	testdb.Must(t, answer.Body.Close())
	if answer.StatusCode != http.StatusOK {
		t.Error(answer.Status)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
