package cli

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/settings"
)

// modelFlags are the flags that choose a model.
type modelFlags struct {
	provider, model, base, exec textFlag
	keyEnv                      textFlag
	api                         *choiceFlag
	timeout                     durationFlag
}

func (q *modelFlags) bind(cmd *cobra.Command) {
	q.bindChoice(cmd, "makes summaries")
	cmd.Flags().Var(&q.timeout, "timeout", "the longest time for one call: seconds, or 90s or 2m")
}

// bindChoice binds the flags that choose a model, which does what purpose says.
func (q *modelFlags) bindChoice(cmd *cobra.Command, purpose string) {
	q.provider, q.model, q.base, q.exec = textFlag{noun: "NAME"}, textFlag{noun: "NAME"}, textFlag{noun: "URL"}, textFlag{noun: "CMD"}
	q.keyEnv = textFlag{noun: "NAME"}
	q.api = oneOf("", apis()...)
	fs := cmd.Flags()
	fs.Var(&q.provider, "provider", "who "+purpose+": anthropic, openai, claude, codex, exec, …, or extractive, which calls no model")
	fs.Var(&q.model, "model", "the model's name, or provider/model")
	fs.Var(q.api, "api", "the API of the provider: responses, chat or messages")
	fs.Var(&q.base, "base-url", "the address of the provider, if not its usual one")
	fs.Var(&q.keyEnv, "key-env", "the environment variable that holds the key")
	fs.Var(&q.exec, "exec", "a command that "+purpose+", with its arguments: it gets the prompt on standard input and prints the text")
}

// apis are the ways to speak to a provider.
func apis() []string {
	return []string{string(wire.Responses), string(wire.Chat), string(wire.Messages)}
}

// flags are the settings that the flags set.
func (q *modelFlags) flags() map[string]string {
	if !q.timeout.IsSet {
		return map[string]string{}
	}
	return map[string]string{"summaryTimeoutMs": strconv.FormatInt(q.timeout.value.Milliseconds(), 10)}
}

// chosen is the choice that the flags make. How long a call may take is a setting.
func (q *modelFlags) chosen() choose.Choice {
	return choose.Choice{
		Provider: q.provider.value, Model: q.model.value, API: wire.API(q.api.value),
		BaseURL: q.base.value, KeyEnv: q.keyEnv.value, Exec: q.exec.value,
	}
}

// hostSettings are the settings of the host's configuration and of the environment.
type hostSettings struct {
	settings.Settings
	host    openclaw.Config
	signIns func() choose.SignIns
}

// hostSettings reads them. What can't be read is a caveat: the rest is in force.
func (c *invocation) hostSettings(flags map[string]string) hostSettings {
	locations, _ := c.locate()
	c.locations = locations
	host, err := locations.Host, locations.HostErr
	same := func(known error) bool { return err != nil && known.Error() == err.Error() } // From opening the database.
	if err != nil && !slices.ContainsFunc(c.commandWarnings, same) {
		c.commandWarnings = append(c.commandWarnings, err)
	}
	s := settings.Load(c.sys.Env, host, flags)
	c.commandWarnings = append(c.commandWarnings, s.Problems...)
	return hostSettings{s, host, signIns(locations)}
}

// models is what the host's configuration says about models.
func (c hostSettings) models() choose.HostConfig {
	host := c.host
	text := func(name string) string { s, _ := host.Plugin[name].(string); return s }
	h := choose.HostConfig{
		Provider: text("summaryProvider"), Model: text("summaryModel"),
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

// resolveModel finds the model that a choice comes to, or why the choice contradicts
// itself. Whether the model can be asked is for its Ready to say.
func (a *app) resolveModel(chosen choose.Choice) (choose.Resolved, error) {
	hosts := (&invocation{app: a}).hostSettings(a.opts.model.flags()).models()
	if err := contradiction(chosen, a.sys.Env, hosts); err != nil {
		return choose.Resolved{}, err
	}
	return choose.Resolve(chosen, choose.Getenv(a.sys.Env), hosts)
}
