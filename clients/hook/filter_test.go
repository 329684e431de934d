package hook_test

import (
	"testing"

	"lcm-tui/clients"
	"lcm-tui/clients/hook"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestPatternsOfSessionKeys: of a session whose key a pattern leaves out nothing is kept; where it is only read, it
// is handed history, and where it is ignored, nothing.
func TestPatternsOfSessionKeys(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		ignored, stateless []string
		kept, reads        bool
	}{
		"no pattern":         {nil, nil, true, true},
		"another session":    {[]string{"agent:*:claude-code:other"}, []string{"agent:other:**"}, true, true},
		"ignored by its key": {[]string{"agent:*:claude-code:second"}, nil, false, false},
		"ignored by all":     {[]string{"**"}, nil, false, false},
		"only read":          {nil, []string{"agent:*:*:second"}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMachine(t, clients.ClaudeCode)
			first := m.say("first", "How do we deploy the ledger?", "With the blue script, on Mondays.")
			m.happen(hook.Event{Name: "Stop", Session: "first", Transcript: first})
			m.Request.Filter.Ignore("x", c.ignored...)
			m.Request.Filter.Stateless("x", c.stateless...)
			if a := m.happen(hook.Event{Name: "SessionStart", Session: "second", Source: "startup"}); (a.Context != "") != c.reads {
				t.Errorf("it is handed %q", a.Context)
			}
			m.happen(hook.Event{Name: "Stop", Session: "second", Transcript: m.say("second", "And the mailer?", "The same way.")})
			n, err := testdb.Count(m.path, "SELECT count(*) FROM conversations WHERE session_id = 'second'")
			testdb.Must(t, err)
			if (n == 1) != c.kept {
				t.Errorf("%d conversations are kept", n)
			}
		})
	}
}
