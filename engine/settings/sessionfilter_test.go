package settings_test

import (
	"testing"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// TestSessionPatterns: which keys a pattern matches.
func TestSessionPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, key string
		want         bool
	}{
		{"agent:main:main", "agent:main:main", true},
		{"agent:main:main", "agent:main:main2", false}, // Anchored at the end,
		{"agent:main:main", "xagent:main:main", false}, // and at the beginning.
		{"agent:main", "agent:main:main", false},
		{"agent:*:main", "agent:research:main", true},
		{"agent:*:main", "agent:a:b:main", false}, // One star stops at a colon,
		{"agent:**:main", "agent:a:b:main", true}, // two don't.
		{"agent:**", "agent:", true},
		{"agent:*", "agent:main", true},
		{"agent:*", "agent:main:x", false},
		{"agent:*:subagent:*", "agent:main:subagent:0b5c", true},
		{"agent:*:subagent:*", "agent:main:subagent:a:b", false},
		{"agent:main:cron:**", "agent:main:cron:nightly:run", true},
		{"**", "anything: at all", true},
		{"*", "no-colon", true},
		{"*", "a:b", false},
		{"**:run", "agent:main:cron:x:run", true},
		{"*main*", "mymainkey", true},
		{"***", "a:b:c", true},
		{"Agent:main:main", "agent:main:main", false}, // Case counts.
		{"agent:main:dm.1", "agent:main:dmx1", false}, // A dot is a dot,
		{"agent:main:dm.1", "agent:main:dm.1", true},
		{"agent:(a|b):x", "agent:a:x", false}, // and so is every other letter of expressions.
		{"agent:(a|b):x", "agent:(a|b):x", true},
		{"agent:[ab]:x?", "agent:[ab]:x?", true},
		{`agent:\d:x`, "agent:1:x", false},
		{"agent:main:group:-100777", "agent:main:group:-100777", true},
		{"agent:*:群", "agent:主:群", true},
		{"", "", false},
		{" agent:main:main ", "agent:main:main", true}, // Blanks around it are none of it.
	} {
		var f settings.SessionFilter
		f.Ignore("x", c.pattern)
		if got := f.Why(c.key, "") != ""; got != c.want {
			t.Errorf("%q and %q: %v", c.pattern, c.key, got)
		}
	}
}

// TestSessionFilter: the key counts, and the id where there is none; what is only read isn't ignored; and the
// patterns come from the environment before the host's configuration, and from the user's own beside both.
func TestSessionFilter(t *testing.T) {
	t.Parallel()
	host := openclaw.Config{Plugin: map[string]any{
		"ignoreSessionPatterns": []any{"agent:host:**"}, "statelessSessionPatterns": []any{"agent:*:subagent:**", "", "  "},
	}}
	load := func(e env, own ...string) settings.SessionFilter {
		s := settings.Load(e.get, host, nil)
		if len(s.Problems) > 0 {
			t.Error(s.Problems)
		}
		s.AddPatterns(own, nil)
		return s.SessionFilter()
	}
	plain := load(nil)
	for _, c := range []struct {
		filter  settings.SessionFilter
		key, id string
		why     string // Empty where it is stored.
		ignored bool
	}{
		{plain, "agent:host:main", "id", "the session agent:host:main is ignored: the pattern agent:host:** of ignoreSessionPatterns", true},
		{plain, "agent:main:subagent:x", "", "the session agent:main:subagent:x is only read: the pattern agent:*:subagent:** of statelessSessionPatterns", false},
		{plain, "agent:main:main", "agent:host:main", "", false}, // It has a key.
		{plain, "", "agent:host:main", "the session agent:host:main is ignored: the pattern agent:host:** of ignoreSessionPatterns", true},
		{plain, " ", " ", "", false},
		{load(env{"LCM_IGNORE_SESSION_PATTERNS": " agent:a:* , agent:b:*,"}), "agent:b:x", "", "the session agent:b:x is ignored: the pattern agent:b:* of ignoreSessionPatterns", true},
		{load(env{"LCM_IGNORE_SESSION_PATTERNS": "agent:a:*"}), "agent:host:main", "", "", false}, // The environment replaces the list.
		{load(env{"LCM_SKIP_STATELESS_SESSIONS": "false"}), "agent:main:subagent:x", "", "", false},
		{load(nil, "agent:own:*"), "agent:own:x", "", "the session agent:own:x is ignored: the pattern agent:own:* of ignore-session in config.toml", true},
		{load(nil, "agent:own:*"), "agent:host:x", "", "the session agent:host:x is ignored: the pattern agent:host:** of ignoreSessionPatterns", true},
		{settings.SessionFilter{}, "agent:host:main", "", "", false},
	} {
		if got, ignored := c.filter.Why(c.key, c.id), c.filter.WhyIgnored(c.key, c.id) != ""; got != c.why || ignored != c.ignored {
			t.Errorf("%q %q: %q, ignored %v", c.key, c.id, got, ignored)
		}
	}
}

// TestSessionSettings: the settings of the beginning of sessions, with their bounds.
func TestSessionSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env            env
		plugin         map[string]any
		retain, tokens int64
		prunes         bool
		wrong          int
	}{
		{nil, nil, 2, 6000, false, 0},
		{env{"LCM_NEW_SESSION_RETAIN_DEPTH": "-1"}, nil, -1, 6000, false, 0},
		{env{"LCM_NEW_SESSION_RETAIN_DEPTH": "-2"}, map[string]any{"newSessionRetainDepth": 4.0}, 4, 6000, false, 1},
		{env{"LCM_NEW_SESSION_RETAIN_DEPTH": "Infinity"}, nil, 2, 6000, false, 1},
		{env{"LCM_LEAF_CHUNK_TOKENS": "40001"}, nil, 2, 12000, false, 0},
		{env{"LCM_LEAF_CHUNK_TOKENS": "450"}, nil, 2, 6000, false, 0},
		{env{"LCM_BOOTSTRAP_MAX_TOKENS": "1"}, map[string]any{"bootstrapMaxTokens": 9.0}, 2, 1, false, 0},
		{nil, map[string]any{"bootstrapMaxTokens": 0.0, "pruneHeartbeatOk": true}, 2, 6000, true, 1},
		{env{"LCM_PRUNE_HEARTBEAT_OK": "true"}, nil, 2, 6000, true, 0},
	} {
		s := settings.Load(c.env.get, openclaw.Config{Plugin: c.plugin}, nil)
		if s.RetainDepth() != c.retain || s.BootstrapTokens() != c.tokens || s.PrunesHeartbeats() != c.prunes || len(s.Problems) != c.wrong {
			t.Errorf("%v %v: %d, %d, %v, %v", c.env, c.plugin, s.RetainDepth(), s.BootstrapTokens(), s.PrunesHeartbeats(), s.Problems)
		}
	}
}
