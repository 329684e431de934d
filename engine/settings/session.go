package settings

// RetainDepth returns the depth from which on /new keeps summaries; -1 keeps all of them.
func (s Settings) RetainDepth() int64 { return value[int64](s, "newSessionRetainDepth") }

// PrunesHeartbeats reports whether the host prunes turns in which a heartbeat found nothing to do.
func (s Settings) PrunesHeartbeats() bool { return value[bool](s, "pruneHeartbeatOk") }

// BootstrapTokens returns how many tokens of the newest messages of a session a host stores when it
// meets a fork of it, or in 1.0 any session, for the first time.
func (s Settings) BootstrapTokens() int64 { return value[int64](s, "bootstrapMaxTokens") }

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
