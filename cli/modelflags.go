package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/model/wire"
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
