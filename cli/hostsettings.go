package cli

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/ui/userconfig"
)

// HostSettings are the settings of the host's configuration and of the environment.
type HostSettings struct {
	settings.Settings
	Host    openclaw.Config
	request settings.Request
	signIns func() choose.SignIns
}

// HostSettings reads them. What can't be read is a caveat: the rest is in force.
func (c *Invocation) HostSettings(flags map[string]string) HostSettings {
	locations, _ := c.Locate()
	c.Locations = locations
	host, err := locations.Host, locations.HostErr
	same := func(known error) bool { return err != nil && known.Error() == err.Error() } // From opening the database.
	if err != nil && !slices.ContainsFunc(c.CommandWarnings, same) {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	q := settings.Request{Env: c.Sys.Env, Host: host, Flags: flags, Places: map[string]string{"dbPath": locations.Database, "largeFilesDir": locations.FilesDir}}
	if c.Sys.Environ != nil {
		q.Environ = c.Sys.Environ()
	}
	if c.DB != nil {
		q.Kind = c.DB.Kind()
	}
	s := q.Load()
	own := userconfig.Load(userconfig.Path(c.Sys.Env))
	s.AddPatterns(own.IgnoredSessions, own.StatelessSessions)
	c.CommandWarnings = append(c.CommandWarnings, s.Problems...)
	return HostSettings{s, host, q, signIns(locations)}
}

// Check returns every problem of the host's configuration and of the environment for a file of a kind, whose zero value is
// not known.
func (c HostSettings) Check(kind data.Kind) []*settings.Problem {
	c.request.Kind = kind
	return c.request.Check(c.request.Load())
}

// WarnOfConfiguration warns of what keeps the host from using its plugin, and of settings that it refuses or that have
// no effect. What c has as a warning already isn't said again.
func (c *Invocation) WarnOfConfiguration(conf HostSettings, kind data.Kind) {
	known := map[string]bool{}
	for _, w := range c.CommandWarnings {
		known[w.Error()] = true
	}
	found := conf.Enablement().Reasons
	for _, p := range conf.Check(kind) {
		if !p.IsQuiet() {
			found = append(found, p)
		}
	}
	for _, w := range found {
		if !known[w.Error()] {
			c.CommandWarnings = append(c.CommandWarnings, w)
		}
	}
}

// Models returns what the host's configuration says about models.
func (c HostSettings) Models() choose.HostConfig {
	host := c.Host
	text := func(name, variable string) string {
		if slices.Contains(c.request.Environ, variable+"=") { // Set to nothing, which comes before the configuration.
			return ""
		}
		s, _ := host.Plugin[name].(string)
		return s
	}
	h := choose.HostConfig{
		Provider: text("summaryProvider", "LCM_SUMMARY_PROVIDER"), Model: text("summaryModel", "LCM_SUMMARY_MODEL"),
		Defaults:  []string{host.CompactionModel, host.Model},
		Fallbacks: c.Fallbacks(),
		Endpoints: map[string]choose.Endpoint{},
		Variable: func(name string) (model.Secret, string) {
			v, where := host.Variable(name)
			return model.NewSecret(v), where
		},
		SignIns: c.signIns,
	}
	for name, e := range host.Providers {
		h.Endpoints[name] = choose.Endpoint{BaseURL: e.BaseURL, API: e.API, Key: model.NewSecret(e.Key())}
	}
	return h
}

// FileKind returns what wrote the database, or the zero value where there is none that can be read.
func (c *Invocation) FileKind(ctx context.Context) data.Kind {
	if !FileExists(c.Locations.Database) {
		return data.Kind{}
	}
	db, err := c.OpenFile(ctx, c.Locations.Database)
	if err != nil {
		return data.Kind{} // Commands that need it say why.
	}
	defer db.Close()
	return db.Kind()
}
