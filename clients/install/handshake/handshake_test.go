package handshake_test

import (
	"os/exec"
	"strings"
	"testing"

	"lcm-tui/clients/install"
	"lcm-tui/clients/install/handshake"
)

// TestRun: a server that lists its tools is right; everything else has its words.
func TestRun(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	const first = `echo '{"jsonrpc":"2.0","id":1,"result":{}}'; `
	for script, want := range map[string]string{
		first + `echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}'; cat >/dev/null`: "",
		first + `echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}'`:                             "it has no tools",
		`echo hello`: `not only the protocol: "hello"`,
		`echo '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no file"}}'`: "with an error: no file",
		`echo broken >&2; exit 3`: "exit status 3; it says: broken",
		first:                     "ended before the list of tools",
	} {
		err := handshake.Run(t.Context(), install.Server{Command: sh, Args: []string{"-c", script}}, t.TempDir(), nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
	if err := handshake.Run(t.Context(), install.Server{Command: "/gone/lcm-tui"}, t.TempDir(), nil); err == nil {
		t.Error("a program that is not there answers")
	}
}
