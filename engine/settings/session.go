package settings

import "math"

// sessionRows are the settings about which sessions are stored, and about their beginning. They are shown behind
// the others.
var sessionRows = []row{
	{name: "ignoreSessionPatterns", env: []string{"LCM_IGNORE_SESSION_PATTERNS"}, kind: list, preset: []string{}, about: "session keys of which nothing is stored or handed over; * is anything but a colon, ** anything"},
	{name: "statelessSessionPatterns", env: []string{"LCM_STATELESS_SESSION_PATTERNS"}, kind: list, preset: []string{}, about: "session keys of which nothing is stored, and that may read"},
	{name: "skipStatelessSessions", env: []string{"LCM_SKIP_STATELESS_SESSIONS"}, kind: boolean, preset: true, about: "whether statelessSessionPatterns count"},
	{name: "pruneHeartbeatOk", env: []string{"LCM_PRUNE_HEARTBEAT_OK"}, kind: boolean, preset: false, about: "whether turns go in which a heartbeat found nothing to do"},
	{name: "newSessionRetainDepth", env: []string{"LCM_NEW_SESSION_RETAIN_DEPTH"}, least: -1, most: unlimited, preset: int64(2), about: "the depth from which on /new keeps summaries; -1 keeps all"},
	{name: "bootstrapMaxTokens", env: []string{"LCM_BOOTSTRAP_MAX_TOKENS"}, least: 1, most: unlimited, about: "the most tokens of a session's newest messages that a host stores at first contact; not set, it follows from leafChunkTokens"},
}

// RetainDepth returns the depth from which on /new keeps summaries; -1 keeps all of them.
func (s Settings) RetainDepth() int64 { return value[int64](s, "newSessionRetainDepth") }

// PrunesHeartbeats reports whether the host prunes turns in which a heartbeat found nothing to do.
func (s Settings) PrunesHeartbeats() bool { return value[bool](s, "pruneHeartbeatOk") }

// BootstrapTokens returns how many tokens of the newest messages of a session a host stores when it
// meets a fork of it, or in 1.0 any session, for the first time.
func (s Settings) BootstrapTokens() int64 {
	if n := value[int64](s, "bootstrapMaxTokens"); n > 0 {
		return n
	}
	return max(6000, int64(math.Floor(0.3*float64(value[int64](s, "leafChunkTokens")))))
}

// AddPatterns adds the patterns of the user's own configuration for sessions that aren't stored.
func (s *Settings) AddPatterns(ignored, stateless []string) {
	s.own.Ignore("ignore-session in config.toml", ignored...)
	s.own.Stateless("stateless-session in config.toml", stateless...)
}

// SessionFilter returns which sessions aren't stored.
func (s Settings) SessionFilter() SessionFilter {
	f := s.own
	for _, one := range s.All {
		patterns, _ := one.Value.([]string)
		switch one.Name {
		case "ignoreSessionPatterns":
			f.Ignore(one.Name, patterns...)
		case "statelessSessionPatterns":
			if value[bool](s, "skipStatelessSessions") {
				f.Stateless(one.Name, patterns...)
			}
		}
	}
	return f
}
