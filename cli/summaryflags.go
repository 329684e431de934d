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
	"lcm-tui/internal/hint"
	"lcm-tui/ops/describe"
	"lcm-tui/prompts"
	"lcm-tui/work"
)

// SummaryFlags are the flags of commands that have summaries made.
type SummaryFlags struct {
	ModelFlags
	promptDir       TextFlag
	zone            ZoneFlag
	Assigned        Assignments
	Fallback, fresh bool
	sendSecrets     bool
	Untimed         bool // Times are left out of source texts.
	// Meter returns a model that counts the calls of another one; nil counts none.
	Meter func(summarize.Model) summarize.Model
	Limit struct { // What a run may take; 0 is no limit.
		Calls   int
		Dollars float64
	}
}

// Bind adds the flags to a command.
func (w *SummaryFlags) Bind(cmd *cobra.Command) {
	w.ModelFlags.Bind(cmd)
	w.promptDir = TextFlag{Noun: "DIR"}
	fs := cmd.Flags()
	fs.Var(&w.promptDir, "prompt-dir", "a folder with your own templates")
	fs.Var(&w.Assigned, "set", "a setting of lcm-tui config, as NAME=VALUE; repeatable")
	fs.Var(&w.zone, "tz", "the time zone of times in source texts, such as UTC or Europe/Berlin")
	fs.BoolVar(&w.Fallback, "fallback", false, "use the cut source text where the model gives no summary")
	fs.BoolVar(&w.sendSecrets, "send-secrets", false, "leave passwords, keys and tokens in what a model is asked")
	fs.BoolVar(&w.fresh, "fresh", false, "call the model even where an earlier answer is cached")
}

// Summarizer are what summaries are made with.
type Summarizer struct {
	Model    summarize.Model
	Settings settings.Settings
	config   engine.Config // Of conversations without an exception.
	Form     summarize.Form
	Job      summarize.Job
}

// Tools finds, for the open database, the model and the settings in force. Settings that can't be read are
// warnings.
func (w *SummaryFlags) Tools(c *Invocation) (t Summarizer, err error) {
	return w.ToolsOf(c, w.Chosen())
}

// ToolsOf returns tools with another choice of the model than that of the flags.
func (w *SummaryFlags) ToolsOf(c *Invocation, chosen choose.Choice) (t Summarizer, err error) {
	flags, err := w.Settings(c)
	if err != nil {
		return t, err
	}
	conf := c.HostSettings(flags)
	t.Settings, t.config = conf.Settings, conf.Compaction()
	t.Form = summarize.Form{Zone: conf.Location(), StripTags: t.config.StripTags, Untimed: w.Untimed}
	t.Job = summarize.Job{
		Overage: t.config.SummaryMaxOverageFactor, Fallback: w.Fallback, FallbackTokens: t.config.FallbackMaxTokens,
		Instructions: t.config.CustomInstructions, Thinking: conf.Thinking(), Estimator: token.Of(c.DB.Kind().Level),
	}
	if t.Job.Prompts, err = w.templates(c); err != nil {
		return t, err
	}
	chosen.Timeout, chosen.Retry = conf.SummaryTimeout(), c.Sys.Retry
	if err := Contradiction(chosen, c.Sys.Env, conf.Models()); err != nil {
		return t, err
	}
	if t.Model, err = choose.Model(chosen, choose.Getenv(c.Sys.Env), conf.Models()); err != nil {
		return t, err
	}
	r, err := choose.Resolve(chosen, choose.Getenv(c.Sys.Env), conf.Models())
	asked := err != nil || !r.Free() // The summarizer that is built in sends nothing.
	if asked {
		t.Model = summarize.Each(t.Model, w.counter(c))
	}
	if asked && !w.sendSecrets {
		if t.Job.Masker, err = c.Sys.MaskerHere(); err != nil {
			return t, err
		}
	}
	t.Model = summarize.StopAfterPermanent(summarize.Limit(t.Model, w.Limit.Calls, w.Limit.Dollars)) // What is remembered costs nothing.
	if !w.fresh {
		t.Model = cachedAnswers(t.Model, c.Sys.Env)
	}
	return t, nil
}

// RegenerateOptions returns the options for regenerating texts, jobs at a time; unless ask is
// set the model isn't called, and the result is an estimate.
func (t Summarizer) RegenerateOptions(jobs *IntegerFlag, ask bool) regenerate.Options {
	return regenerate.Options{
		Model: t.Model, Ask: ask, Jobs: int(jobs.Value), Form: t.Form, Job: t.Job,
		LeafTarget: int(t.config.LeafTargetTokens), CondensedTarget: int(t.config.CondensedTargetTokens),
	}
}

// Settings returns those that the flags set.
func (w *SummaryFlags) Settings(c *Invocation) (map[string]string, error) {
	if err := CheckEnvironment(c.Sys.Env); err != nil {
		return nil, err
	}
	if err := w.Assigned.Check(c.Name); err != nil {
		return nil, err
	}
	all := w.Flags()
	if w.zone.At != nil {
		all["timezone"] = w.zone.String()
	}
	maps.Copy(all, w.Assigned.Values)
	return all, errors.Join(w.Assigned.ExcludeFlag("tz", w.zone.At != nil, "timezone"), w.Assigned.ExcludeFlag("timeout", w.timeout.IsSet, "summaryTimeoutMs"))
}

// counter returns what counts the calls of a model: the flags' own meter, else what metrics show.
func (w *SummaryFlags) counter(c *Invocation) func(summarize.Model) summarize.Model {
	if w.Meter != nil {
		return w.Meter
	}
	state, path := openclaw.OwnState(c.Sys.Env), c.DB.Path()
	return func(m summarize.Model) summarize.Model {
		if state == "" {
			return m
		}
		return work.CountCalls(m, work.Folder(state, path))
	}
}

// templates returns those in force; a folder that was typed has to be there.
func (w *SummaryFlags) templates(c *Invocation) (*prompts.Set, error) {
	set, err := prompts.Open(w.promptDir.Value, c.Sys.Env)
	if err != nil && w.promptDir.Value != "" {
		return nil, UsageErrorf("--prompt-dir: %v", err)
	}
	return set, err
}

// Contradiction returns the error of flags about the model that can't be followed together,
// of a provider that there isn't, or of a flag that the provider has no use for.
func Contradiction(chosen choose.Choice, env openclaw.Getenv, host choose.HostConfig) error {
	r, err := choose.Resolve(chosen, choose.Getenv(env), host)
	if err == nil {
		return unusedFlag(chosen, r)
	}
	none := func(string) string { return "" }
	chosen.KeyEnv = ""
	if _, flags := choose.Resolve(chosen, none, choose.HostConfig{Endpoints: host.Endpoints}); flags == nil {
		return nil // Of a key, the environment or the configuration, which Choose tells.
	}
	return &UsageError{Message: err.Error(), Next: hint.Of(err)}
}

// unusedFlag returns the error of a flag that the provider in force has no use for.
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
			return UsageErrorf("--model %s names no provider; say provider/model, or --provider NAME", v)
		default:
			return UsageErrorf("--%s %s has no effect on the provider %s", name, v, r.Provider)
		}
	}
	return nil
}

// CheckEnvironment refuses values of this program's own variables that can't be read.
// Those of the host's are passed over with a warning, as the host does.
func CheckEnvironment(env openclaw.Getenv) error {
	if v := strings.TrimSpace(env("LCM_TUI_SUMMARY_API")); v != "" && !slices.Contains(apis(), v) {
		return UsageErrorf("LCM_TUI_SUMMARY_API: expected %s, not %q%s", strings.Join(apis(), ", "), v, DidYouMean(v, "", apis()))
	}
	const timeout = "LCM_TUI_SUMMARY_TIMEOUT_MS"
	if v := env(timeout); v != "" {
		if err := checkSetting("summaryTimeoutMs", v); err != nil {
			return UsageErrorf("%s: expected milliseconds, a whole number from 1, not %q", timeout, v)
		}
	}
	if v := env("LCM_TUI_PRICES"); v != "" {
		if _, err := os.Stat(v); err != nil {
			return UsageErrorf("LCM_TUI_PRICES: %v", err)
		}
	}
	return nil
}

// cachedAnswers keeps a model's answers in the user's cache, so that nothing is paid
// twice. Where there is no place for them they aren't kept.
func cachedAnswers(m summarize.Model, env openclaw.Getenv) summarize.Model {
	folder := CacheFolder(env)
	if folder == "" {
		return m
	}
	kept, err := summarize.Cache(m, filepath.Join(folder, "answers"))
	if err != nil {
		return m
	}
	return kept
}

// ErrNoFileModel says that nobody named a model that describes large files.
var ErrNoFileModel = errors.New("no model is named that describes large files")

// DescribeFiles makes the operation that has the large files of a conversation described: by the model that the flags choose,
// else by that of the settings, where both are set. Without a model it returns ErrNoFileModel.
func (w *SummaryFlags) DescribeFiles(c *Invocation, conv int64) (*describe.Op, error) {
	flags, err := w.Settings(c)
	if err != nil {
		return nil, err
	}
	chosen := w.Chosen()
	if chosen.Provider == "" && chosen.Model == "" && chosen.Exec == "" && chosen.BaseURL == "" {
		warned := c.CommandWarnings
		provider, model := c.HostSettings(flags).LargeFileModel()
		c.CommandWarnings = warned // The tools say it again.
		if chosen.Provider, chosen.Model = provider, model; provider == "" || model == "" {
			return nil, hint.Wrap(ErrNoFileModel, "set largeFileSummaryProvider and largeFileSummaryModel, both, or name one with --provider NAME --model NAME")
		}
	}
	t, err := w.ToolsOf(c, chosen)
	if err != nil {
		return nil, err
	}
	t.Job.TargetTokens = int(t.config.LeafTargetTokens)
	return &describe.Op{Conversation: conv, FilesDir: c.Locations.FilesDir, Model: t.Model, Job: t.Job}, nil
}
