package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/settings"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work"
)

// ModelFlags are the flags that choose a model.
type ModelFlags struct {
	Provider, Model, base, Exec TextFlag
	keyEnv                      TextFlag
	api                         *ChoiceFlag
	timeout                     DurationFlag
}

// Bind adds the flags to a command that has summaries made.
func (q *ModelFlags) Bind(cmd *cobra.Command) {
	q.BindChoice(cmd, "makes summaries")
	cmd.Flags().Var(&q.timeout, "timeout", "the longest time for one call: seconds, or 90s or 2m")
}

// BindChoice binds the flags that choose a model, which does what purpose says.
func (q *ModelFlags) BindChoice(cmd *cobra.Command, purpose string) {
	q.Provider, q.Model, q.base, q.Exec = TextFlag{Noun: "NAME"}, TextFlag{Noun: "NAME"}, TextFlag{Noun: "URL"}, TextFlag{Noun: "CMD"}
	q.keyEnv = TextFlag{Noun: "NAME"}
	q.api = OneOf("", apis()...)
	fs := cmd.Flags()
	fs.Var(&q.Provider, "provider", "who "+purpose+": anthropic, openai, claude, codex, exec, …, or extractive, which calls no model")
	fs.Var(&q.Model, "model", "the model's name, or provider/model")
	fs.Var(q.api, "api", "the API of the provider: responses, chat or messages")
	fs.Var(&q.base, "base-url", "the address of the provider, if not its usual one")
	fs.Var(&q.keyEnv, "key-env", "the environment variable that holds the key")
	fs.Var(&q.Exec, "exec", "a command that "+purpose+", with its arguments: it gets the prompt on standard input and prints the text")
}

// apis returns the ways to speak to a provider.
func apis() []string {
	return []string{string(wire.Responses), string(wire.Chat), string(wire.Messages)}
}

// Flags returns the settings that the flags set.
func (q *ModelFlags) Flags() map[string]string {
	if !q.timeout.IsSet {
		return map[string]string{}
	}
	return map[string]string{"summaryTimeoutMs": strconv.FormatInt(q.timeout.Value.Milliseconds(), 10)}
}

// Chosen returns the choice that the flags make. How long a call may take is a setting.
func (q *ModelFlags) Chosen() choose.Choice {
	return choose.Choice{
		Provider: q.Provider.Value, Model: q.Model.Value, API: wire.API(q.api.Value),
		BaseURL: q.base.Value, KeyEnv: q.keyEnv.Value, Exec: q.Exec.Value,
	}
}

// ResolveModel finds the model that a choice comes to, or why the choice contradicts
// itself. Whether the model can be asked is for its Ready to say.
func (a *App) ResolveModel(chosen choose.Choice) (choose.Resolved, error) {
	hosts := (&Invocation{App: a}).HostSettings(a.Opts.Model.Flags()).Models()
	if err := Contradiction(chosen, a.Sys.Env, hosts); err != nil {
		return choose.Resolved{}, err
	}
	return choose.Resolve(chosen, choose.Getenv(a.Sys.Env), hosts)
}

// HostSettings are the settings of the host's configuration and of the environment.
type HostSettings struct {
	settings.Settings
	Host    openclaw.Config
	Own     *userconfig.Config // What the user's own file says.
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
	return HostSettings{s, host, own, q, signIns(locations)}
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
	if !DatabaseExists(c.Locations.Database) {
		return data.Kind{}
	}
	db, err := c.OpenFile(ctx, c.Locations.Database)
	if err != nil {
		return data.Kind{} // Commands that need it say why.
	}
	defer db.Close()
	return db.Kind()
}

// DescribeLater requests that a model describes the large files of conversations, where the settings name one for it
// and work is done by itself. It makes what is noted beside the database where that isn't there.
func (c *Invocation) DescribeLater(ctx context.Context, set HostSettings, conversations ...int64) (err error) {
	state := openclaw.OwnState(c.Sys.Env)
	if len(conversations) == 0 || state == "" || !set.DescribesFiles() || !set.WorksByItself() {
		return nil
	}
	notes, err := work.Open(ctx, work.Folder(state, c.DB.Path()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, notes.Close()) }()
	for _, id := range conversations {
		err = errors.Join(err, notes.Request(ctx, work.Description, id, work.SessionEnd))
	}
	return err
}

// WorksByItself reports whether work is done that nobody asked for.
func (c HostSettings) WorksByItself() bool { return c.Own.Work.Enabled && !c.AutocompactDisabled() }
