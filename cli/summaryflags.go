package cli

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data/openclaw"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/prompts"
)

// summaryFlags are the flags of commands that have summaries made.
type summaryFlags struct {
	modelFlags
	promptDir       textFlag
	zone            zoneFlag
	Assigned        assignments
	fallback, fresh bool
	untimed         bool     // Times are left out of source texts.
	limit           struct { // What a run may take; 0 is no limit.
		calls   int
		dollars float64
	}
}

func (w *summaryFlags) bind(cmd *cobra.Command) {
	w.modelFlags.bind(cmd)
	w.promptDir = textFlag{noun: "DIR"}
	fs := cmd.Flags()
	fs.Var(&w.promptDir, "prompt-dir", "a folder with your own templates")
	fs.Var(&w.Assigned, "set", "a setting of lcm-tui config, as NAME=VALUE; repeatable")
	fs.Var(&w.zone, "tz", "the time zone of times in source texts, such as UTC or Europe/Berlin")
	fs.BoolVar(&w.fallback, "fallback", false, "use the cut source text where the model gives no summary")
	fs.BoolVar(&w.fresh, "fresh", false, "call the model even where an earlier answer is cached")
}

// summarizer are what summaries are made with.
type summarizer struct {
	model    summarize.Model
	settings settings.Settings
	config   engine.Config // Of conversations without an exception.
	form     summarize.Form
	job      summarize.Job
}

// tools finds, for the open database, the model and the settings in force. Settings that can't be read are
// warnings.
func (w *summaryFlags) tools(c *invocation) (t summarizer, err error) {
	return w.toolsOf(c, w.chosen())
}

// toolsOf is tools with another choice of the model than that of the flags.
func (w *summaryFlags) toolsOf(c *invocation, chosen choose.Choice) (t summarizer, err error) {
	flags, err := w.settings(c)
	if err != nil {
		return t, err
	}
	conf := c.hostSettings(flags)
	t.settings, t.config = conf.Settings, conf.Compaction()
	t.form = summarize.Form{Zone: conf.Location(), StripTags: t.config.StripTags, Untimed: w.untimed}
	t.job = summarize.Job{
		Overage: t.config.SummaryMaxOverageFactor, Fallback: w.fallback, FallbackTokens: t.config.FallbackMaxTokens,
		Instructions: t.config.CustomInstructions, Thinking: conf.Thinking(), Estimator: token.Of(c.DB.Kind().Level),
	}
	if t.job.Prompts, err = w.templates(c); err != nil {
		return t, err
	}
	chosen.Timeout, chosen.Retry = conf.SummaryTimeout(), c.sys.Retry
	if err := contradiction(chosen, c.sys.Env, conf.models()); err != nil {
		return t, err
	}
	if t.model, err = choose.Model(chosen, choose.Getenv(c.sys.Env), conf.models()); err != nil {
		return t, err
	}
	t.model = summarize.StopAfterPermanent(summarize.Limit(t.model, w.limit.calls, w.limit.dollars)) // What is remembered costs nothing.
	if !w.fresh {
		t.model = cachedAnswers(t.model, c.sys.Env)
	}
	return t, nil
}

// regenerateOptions are the options for regenerating texts, jobs at a time; unless ask is
// set the model isn't called, and the result is an estimate.
func (t summarizer) regenerateOptions(jobs *integerFlag, ask bool) regenerate.Options {
	return regenerate.Options{
		Model: t.model, Ask: ask, Jobs: int(jobs.value), Form: t.form, Job: t.job,
		LeafTarget: int(t.config.LeafTargetTokens), CondensedTarget: int(t.config.CondensedTargetTokens),
	}
}

// settings are those that the flags set.
func (w *summaryFlags) settings(c *invocation) (map[string]string, error) {
	if err := checkEnvironment(c.sys.Env); err != nil {
		return nil, err
	}
	if err := w.Assigned.check(c.name); err != nil {
		return nil, err
	}
	all := w.flags()
	if w.zone.at != nil {
		all["timezone"] = w.zone.String()
	}
	maps.Copy(all, w.Assigned.values)
	return all, errors.Join(w.Assigned.excludeFlag("tz", w.zone.at != nil, "timezone"), w.Assigned.excludeFlag("timeout", w.timeout.IsSet, "summaryTimeoutMs"))
}

// templates are those in force; a folder that was typed has to be there.
func (w *summaryFlags) templates(c *invocation) (*prompts.Set, error) {
	set, err := prompts.Open(w.promptDir.value, c.sys.Env)
	if err != nil && w.promptDir.value != "" {
		return nil, usageErrorf("--prompt-dir: %v", err)
	}
	return set, err
}

// contradiction is the error of flags about the model that can't be followed together,
// of a provider that there isn't, or of a flag that the provider has no use for.
func contradiction(chosen choose.Choice, env openclaw.Getenv, host choose.HostConfig) error {
	r, err := choose.Resolve(chosen, choose.Getenv(env), host)
	if err == nil {
		return unusedFlag(chosen, r)
	}
	none := func(string) string { return "" }
	chosen.KeyEnv = ""
	if _, flags := choose.Resolve(chosen, none, choose.HostConfig{Endpoints: host.Endpoints}); flags == nil {
		return nil // Of a key, the environment or the configuration, which Choose tells.
	}
	var h interface{ Hint() string }
	u := &usageError{Message: err.Error()}
	if errors.As(err, &h) {
		u.Next = h.Hint()
	}
	return u
}

// unusedFlag is the error of a flag that the provider in force has no use for.
func unusedFlag(chosen choose.Choice, r choose.Resolved) error {
	flags := map[string]string{"model": chosen.Model, "api": string(chosen.API), "base-url": chosen.BaseURL, "key-env": chosen.KeyEnv, "exec": chosen.Exec}
	unused := map[string][]string{
		model.Extractive: {"model", "api", "base-url", "key-env", "exec"},
		model.Exec:       {"model", "api", "base-url", "key-env"},
		model.Claude:     {"api", "base-url", "key-env", "exec"},
		model.Codex:      {"api", "base-url", "key-env", "exec"},
	}
	for _, name := range unused[r.Provider] {
		switch v := flags[name]; {
		case v == "":
		case chosen.Provider == "" && name == "model":
			return usageErrorf("--model %s names no provider; say provider/model, or --provider NAME", v)
		default:
			return usageErrorf("--%s %s has no effect on the provider %s", name, v, r.Provider)
		}
	}
	return nil
}

// checkEnvironment refuses values of this program's own variables that can't be read.
// Those of the host's are passed over with a warning, as the host does.
func checkEnvironment(env openclaw.Getenv) error {
	if v := strings.TrimSpace(env("LCM_TUI_SUMMARY_API")); v != "" && !slices.Contains(apis(), v) {
		return usageErrorf("LCM_TUI_SUMMARY_API: expected %s, not %q%s", strings.Join(apis(), ", "), v, didYouMean(v, "", apis()))
	}
	const timeout = "LCM_TUI_SUMMARY_TIMEOUT_MS"
	if v := env(timeout); v != "" {
		if err := checkSetting("summaryTimeoutMs", v); err != nil {
			return usageErrorf("%s: expected milliseconds, a whole number from 1, not %q", timeout, v)
		}
	}
	if v := env("LCM_TUI_PRICES"); v != "" {
		if _, err := os.Stat(v); err != nil {
			return usageErrorf("LCM_TUI_PRICES: %v", err)
		}
	}
	return nil
}

// cachedAnswers keeps a model's answers in the user's cache, so that nothing is paid
// twice. Where there is no place for them they aren't kept.
func cachedAnswers(m summarize.Model, env openclaw.Getenv) summarize.Model {
	folder := cacheFolder(env)
	if folder == "" {
		return m
	}
	kept, err := summarize.Cache(m, filepath.Join(folder, "answers"))
	if err != nil {
		return m
	}
	return kept
}
