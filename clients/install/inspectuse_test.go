package install_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/clients/install"
)

// TestSilentHooks: hooks that never ran, although their client was in use a day after they were installed, are an
// error that names likely causes.
func TestSilentHooks(t *testing.T) {
	t.Parallel()
	h := newHome(t, "claude-code")
	since, ok := h.Environment.HooksSince("claude-code")
	if !ok {
		t.Fatal("no installation is noted")
	}
	for _, c := range []struct {
		name  string
		after time.Duration
		fired []string
		want  string // A part of the text; empty without a finding.
	}{
		{"not in use", -time.Hour, nil, ""},
		{"in use for a moment", time.Hour, nil, ""},
		{"none ran", 25 * time.Hour, nil, "SessionStart and Stop"},
		{"one ran", 25 * time.Hour, []string{"SessionStart"}, "the hook of Stop"},
		{"both ran", 25 * time.Hour, []string{"SessionStart", "Stop"}, ""},
	} {
		use := install.Use{Session: since.Add(c.after), Fired: map[string]bool{}}
		for _, event := range c.fired {
			use.Fired[event] = true
		}
		h.Uses = map[string]install.Use{"claude-code": use}
		found := slices.DeleteFunc(h.Run(t.Context(), ""), func(f install.Finding) bool { return f.ID == "I14" }) // Of any client in use.
		if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || found[0].ID != "I07" || found[0].Severity != install.SeverityError || !strings.Contains(found[0].Text, c.want)) {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
	h.edit(t, ".claude.json", `"hasTrustDialogAccepted": true`, `"hasTrustDialogAccepted": false`)
	h.Uses = map[string]install.Use{"claude-code": {Session: since.Add(25 * time.Hour)}}
	for _, f := range h.Run(t.Context(), "") {
		if f.ID == "I07" && !strings.Contains(f.Repair, "I09: ") {
			t.Errorf("the cause isn't named: %+v", f)
		}
	}
}

// TestHookLog: failures of the last week are a warning, and an error from 5 of 100 on; the slowest runs are named.
func TestHookLog(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 2, 10, 0, 0, 0, 0, time.UTC)
	line := func(age time.Duration, took int, failure string) string {
		return fmt.Sprintf(`{"time":%q,"level":"INFO","msg":"hook","client":"codex","event":"Stop","duration_ms":%d,"error":%q}`+"\n", now.Add(-age).Format(time.RFC3339), took, failure)
	}
	good := strings.Repeat(line(time.Hour, 40, ""), 95)
	for _, c := range []struct {
		name, log, severity, text string
	}{
		{"none", "", "", ""},
		{"all well", good, "", ""},
		{"failed long ago", good + line(8*24*time.Hour, 40, "no room"), "", ""},
		{"one of 96", good + line(time.Hour, 900, "no room"), install.SeverityWarn, "1 of 96 hooks failed in 7 days, the last with: no room; 95 of 100 took at most: Stop 40 ms"},
		{"5 of 100", good + strings.Repeat(line(time.Hour, 900, "no room"), 5), install.SeverityError, "5 of 100"},
		{"lines of others", good + "text\n{}\n", "", ""},
	} {
		i := install.Inspection{Environment: withReceipts(t), HookLog: filepath.Join(t.TempDir(), "hook.log"), Now: now}
		write(t, i.HookLog, c.log)
		found := i.Run(t.Context(), "")
		if c.severity == "" && len(found) > 0 || c.severity != "" && (len(found) != 1 || found[0].ID != "I20" || found[0].Severity != c.severity || !strings.Contains(found[0].Text, c.text)) {
			t.Errorf("%s: %+v", c.name, found)
		}
		if found := i.Run(t.Context(), "gemini"); len(found) > 0 {
			t.Errorf("%s: of another client: %+v", c.name, found)
		}
	}
}

// TestTrust: the hash of a handler is that of compact JSON with sorted keys, and with it in Codex's configuration
// the hooks are trusted; what else stands there stays, and a hook that is turned off stays off.
func TestTrust(t *testing.T) {
	t.Parallel()
	const handlers = `{"hooks": {
		"SessionStart": [{"matcher": "startup|resume", "hooks": [{"type": "command", "command": "lcm-tui hook codex", "timeout": 2}]}],
		"Stop": [{"hooks": [{"type": "command", "command": "lcm-tui hook codex"}]}],
		"PreCompact": [{"hooks": [{"type": "command", "command": "lcm-tui hook codex", "timeout": 5, "statusMessage": "saving"}]}]}}`
	got := install.CodexTrust(t, "/h.json", handlers)
	for key, text := range map[string]string{
		"/h.json:session_start:0:0": `{"event_name":"session_start","hooks":[{"async":false,"command":"lcm-tui hook codex","timeout":2,"type":"command"}],"matcher":"startup|resume"}`,
		"/h.json:stop:0:0":          `{"event_name":"stop","hooks":[{"async":false,"command":"lcm-tui hook codex","timeout":600,"type":"command"}]}`,
		"/h.json:pre_compact:0:0":   `{"event_name":"pre_compact","hooks":[{"async":false,"command":"lcm-tui hook codex","statusMessage":"saving","timeout":5,"type":"command"}]}`,
	} {
		sum := sha256.Sum256([]byte(text))
		if want := "sha256:" + hex.EncodeToString(sum[:]); got[key] != want {
			t.Errorf("%s: %s, want %s", key, got[key], want)
		}
	}
	h := newHome(t, "codex")
	path := filepath.Join(h.Environment.Home, ".codex", "config.toml")
	before, _, _ := strings.Cut(read(t, path), "[hooks.state")
	stop := h.hooks + ":stop:0:0"
	write(t, path, "# mine\r\n"+before+"[hooks.state.'"+stop+"']\nenabled = false\n\n[tui]\ntheme = \"dark\"\n")
	trust, err := h.Trust()
	if err != nil {
		t.Fatal(err)
	}
	applySteps(t, trust, nil)
	text := read(t, path)
	if !strings.HasPrefix(text, "# mine\r\n") || !strings.Contains(text, "theme = \"dark\"") || !strings.Contains(text, "enabled = false") {
		t.Errorf("what stood there has changed:\n%s", text)
	}
	if found := h.Run(t.Context(), ""); len(found) != 1 || found[0].ID != "I08" || !strings.Contains(found[0].Text, "Stop is turned off") {
		t.Errorf("%+v", found)
	}
	if again, err := h.Trust(); again != nil || err != nil {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	write(t, path, strings.Replace(text, "sha256:", "sha256:0", 1))
	trust, err = h.Trust()
	if applySteps(t, trust, err); read(t, path) != text {
		t.Errorf("a modified hook:\n%s", read(t, path))
	}
	if !slices.Equal(h.ids(t), []string{"I08"}) {
		t.Error("trust changed more than hashes")
	}
}
