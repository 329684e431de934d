package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/model"
	"lcm-tui/engine/remake"
	"lcm-tui/engine/settings"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/prompts"
)

// workshop is the flags of commands that have summaries made, and what they come
// to.
type workshop struct {
	asking
	promptDir, zone words
	set             []string
	fallback, fresh bool
	limit           struct { // What a run may take; 0 is no limit.
		calls   int
		dollars float64
	}
}

func (w *workshop) bind(cmd *cobra.Command) {
	w.asking.bind(cmd)
	w.promptDir, w.zone = words{noun: "DIR"}, words{noun: "ZONE"}
	fs := cmd.Flags()
	fs.Var(&w.promptDir, "prompt-dir", "a folder with templates of your own")
	fs.StringArrayVar(&w.set, "set", nil, "a setting of lcm-tui config, as `NAME=VALUE`; may be given again")
	fs.Var(&w.zone, "tz", "the time zone of times in source texts")
	fs.BoolVar(&w.fallback, "fallback", false, "let cut-off source text stand where no summary is made")
	fs.BoolVar(&w.fresh, "fresh", false, "ask again for what was answered before")
}

// tools are what summaries are made with.
type tools struct {
	model    summarize.Model
	settings settings.Settings
	config   engine.Config // Of conversations without an exception.
	form     summarize.Form
	job      summarize.Job
}

// tools finds, for the open database, the model and the settings in force. Settings that can't be read are
// warnings.
func (w *workshop) tools(c *call) (t tools, err error) {
	flags, err := settingsOf(w.set)
	if err != nil {
		return t, err
	}
	if w.zone.value != "" {
		flags["timezone"] = w.zone.value
	}
	for name, v := range w.flags() {
		flags[name] = v
	}
	conf := c.configured(flags)
	t.settings, t.config = conf.Settings, conf.Compaction()
	t.form = summarize.Form{Zone: conf.Location(), StripTags: t.config.StripTags}
	t.job = summarize.Job{
		Overage: t.config.SummaryMaxOverageFactor, Fallback: w.fallback, FallbackTokens: t.config.FallbackMaxTokens,
		Instructions: t.config.CustomInstructions, Thinking: conf.Thinking(), Estimator: token.Of(c.db.Kind().Level),
	}
	if t.job.Prompts, err = prompts.Open(w.promptDir.value, c.sys.Env); err != nil {
		return t, err
	}
	t.model, err = model.Choose(w.chosen(conf.SummaryTimeout()), model.Getenv(c.sys.Env), conf.models())
	if err != nil {
		return t, err
	}
	t.model = summarize.Limit(t.model, w.limit.calls, w.limit.dollars) // What is remembered costs nothing.
	if !w.fresh {
		t.model = remembered(t.model, c.sys.Env)
	}
	return t, nil
}

// making is how texts are made anew: so many at once, or, where it doesn't ask, an
// estimate.
func (t tools) making(jobs *number, ask bool) remake.Making {
	return remake.Making{
		Model: t.model, Ask: ask, Jobs: int(jobs.value), Form: t.form, Job: t.job,
		LeafTarget: int(t.config.LeafTargetTokens), CondensedTarget: int(t.config.CondensedTargetTokens),
	}
}

// settingsOf reads NAME=VALUE. A value that doesn't do is an error here, not one to
// pass over: it was just typed.
func settingsOf(pairs []string) (map[string]string, error) {
	flags := map[string]string{}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || value == "" {
			return nil, misused("--set: expected NAME=VALUE, not %q", pair)
		}
		flags[name] = value
	}
	none := func(string) string { return "" }
	known := settings.Load(none, data.HostConfig{}, flags)
	for name := range flags {
		if !slices.ContainsFunc(known.All, func(s settings.Setting) bool { return s.Name == name }) {
			return nil, misused("--set: there is no setting %q; lcm-tui config lists them", name)
		}
	}
	if len(known.Problems) > 0 {
		return nil, misused("--set: %v", known.Problems[0])
	}
	return flags, nil
}

// remembered keeps a model's answers in the user's cache, so that nothing is paid
// twice. Where there is no place for them they aren't kept.
func remembered(m summarize.Model, env data.Getenv) summarize.Model {
	folder := env("XDG_CACHE_HOME")
	if folder == "" {
		var err error
		if folder, err = os.UserCacheDir(); err != nil {
			return m
		}
	}
	kept, err := summarize.Remember(m, filepath.Join(folder, program, "answers"))
	if err != nil {
		return m
	}
	return kept
}
