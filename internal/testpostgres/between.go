package testpostgres

import (
	"context"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// Between returns an address that leads to the server of another one through serve. That is called in a goroutine for each connection
// of a program, with one to the server; both are closed when it returns. The test is skipped where the server has no socket.
func Between(t testing.TB, address string, serve func(program, server net.Conn)) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	if query.Get("host") == "" {
		t.Skip("the server has no socket")
	}
	folder, err := os.MkdirTemp("/tmp", "lcmcut") //nolint:usetesting // The path of a socket is short.
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	const socket = ".s.PGSQL.5432"
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(folder, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	there := filepath.Join(query.Get("host"), socket)
	go func() {
		for {
			program, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer program.Close()
				server, err := (&net.Dialer{}).DialContext(context.Background(), "unix", there)
				if err != nil {
					return
				}
				defer server.Close()
				serve(program, server)
			}()
		}
	}()
	query.Set("host", folder)
	u.RawQuery = query.Encode()
	return u.String()
}
