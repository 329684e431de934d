package testdb

import (
	"path/filepath"
	"testing"

	"lcm-tui/data/transcript"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
)

// Visible returns the visible paths of the sessions in the databases of a host's state folder, by
// session id: what a host of 1.0 is shown of them when it starts. Payloads stay in the texts.
func Visible(t testing.TB, state string) map[string][]fakehost.VisibleEntry {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(state, "agents", "*", "agent", "openclaw-agent.sqlite"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no database of an agent (%v)", state, err)
	}
	rules := ingest.Rules{Estimator: token.Units, Threshold: 1 << 40}
	out := map[string][]fakehost.VisibleEntry{}
	for _, path := range files {
		sessions, err := transcript.Sessions(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range sessions {
			for e, err := range f.Entries(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if m, skip := rules.Store(e.Message, e.ID); skip == "" {
					at := e.Written
					if at.IsZero() {
						at = e.At
					}
					out[f.Session.ID] = append(out[f.Session.ID], fakehost.VisibleEntry{ID: e.ID, Role: m.Role, Content: m.Content, EventKey: m.EventKey, At: at})
				}
			}
		}
	}
	return out
}
