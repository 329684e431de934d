package cli

import (
	"lcm-tui/engine/settings"
	"lcm-tui/ui/userconfig"
)

// SessionFilter returns which sessions aren't stored, by the host's configuration, the environment and the user's
// config.toml.
func (c *Invocation) SessionFilter(host settings.Settings) settings.SessionFilter {
	f := host.SessionFilter()
	own := userconfig.Load(userconfig.Path(c.Sys.Env))
	f.Ignore("ignore-session in config.toml", own.IgnoredSessions...)
	f.Stateless("stateless-session in config.toml", own.StatelessSessions...)
	return f
}
