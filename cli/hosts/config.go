package hosts

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/ui/userconfig"
)

// configuration is the result of config.
type configuration struct {
	Settings []settings.Setting  `json:"settings"`
	Problems []*settings.Problem `json:"problems"`
	Host     settings.Enablement `json:"host"`
	Model    string              `json:"model"`
	Ready    bool                `json:"model_ready"`
	Why      *string             `json:"model_not_ready_because"`
	Hint     *string             `json:"hint"`
	Files    []configFile        `json:"files"`
	Own      ownConfig           `json:"own"`
	Claude   *claudeSettings     `json:"lossless_claude,omitempty"`
	cli.WarningList

	all bool
}

// configPaths is the result of config path.
type configPaths struct {
	Files []configFile `json:"files"`
	cli.WarningList
}

// configFile is a file that is looked at.
type configFile struct {
	Path  string `json:"path"`
	About string `json:"meaning"`
	Found bool   `json:"found"`
}

// configFlags are the flags of config.
type configFlags struct {
	cli.ModelFlags
	all bool
}

func configCommand(a *cli.App) *cobra.Command {
	var asked configFlags
	cmd := a.Command(cli.GroupOther, "config [ACTION]", "Show the settings in force and where they come from", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) { return runConfig(ctx, &asked, c) })
	cmd.Aliases = []string{"settings"}
	cmd.Long = `Shows the settings in force: the value of each, where it comes from, and what it does.
Flags come first, then environment variables, then openclaw.json, then defaults. Of a key it
shows whether it is set, never its value. config get SETTING prints one value, config path
the files that are read. --all lists what only the host goes by as well, with the keys of every
version, whether the host uses lossless-claw at all, and the settings of lossless-claude.

What the host refuses or passes over is a warning: keys and LCM_ variables that no version has,
values of another type or out of range, keys that the host of the file does not have yet or has
no more, and settings in a place where no host looks.

Keys and colours of the screens can be set in config.toml in the folder lcm-tui below
XDG_CONFIG_HOME, else ~/.config: a table [keys] with keys by action, and a table [colors].
config shows what it sets and what is wrong in it; config keys lists the actions.

Writes nothing and calls no model.`
	cmd.Example = "  lcm-tui config\n  lcm-tui config --all\n  lcm-tui config --provider anthropic --model claude-haiku-4-5\n  lcm-tui config path\n  lcm-tui config keys"
	cmd.ValidArgsFunction = a.CompleteActions
	cmd.Flags().BoolVar(&asked.all, "all", false, "list also what only the host goes by")
	asked.Bind(cmd)
	return cmd
}

func runConfig(ctx context.Context, q *configFlags, c *cli.Invocation) (cli.Result, error) {
	switch {
	case c.Action == "" && len(c.Args) == 1:
		return nil, cli.UsageErrorf("config: expected show, path, keys or get SETTING, not %q%s", c.Args[0], cli.DidYouMean(c.Args[0], "", []string{"show", "path", "keys", "get"}))
	}
	own := userconfig.Load(userconfig.Path(c.Sys.Env))
	if c.Action == "keys" {
		return newKeyList(own), nil
	}
	if err := cli.CheckEnvironment(c.Sys.Env); err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	conf := c.HostSettings(q.Flags())
	files := configFiles(c, conf.Host)
	if c.Action == "path" {
		return &configPaths{Files: files}, nil
	}
	out := &configuration{Files: files, Own: newOwnConfig(own)}
	chosen := q.Chosen()
	if err := cli.Contradiction(chosen, c.Sys.Env, conf.Models()); err != nil {
		return nil, err
	}
	r, err := choose.Resolve(chosen, c.Sys.Env, conf.Models())
	if err == nil {
		err = r.Ready()
	}
	kind := c.FileKind(ctx)
	out.Problems, out.Host = conf.Check(kind), conf.Enablement()
	c.WarnOfConfiguration(conf, kind)
	out.Settings = append(places(c, conf.Host), conf.ForKind(kind).All...)
	out.Settings = append(out.Settings, modelSettings(r)...)
	if out.all = q.all; q.all {
		out.Claude = readClaudeSettings(c)
	}
	if q.all || c.Action == "get" {
		out.Settings = append(out.Settings, conf.Others...)
		out.Settings = append(out.Settings, enablementSettings(out.Host)...)
	}
	settings.Annotate(out.Settings)
	out.Model, out.Ready = r.Name(), err == nil
	if err != nil {
		out.Why, out.Hint = cli.OrNull(err.Error()), cli.OrNull(hint.Of(err))
	}
	if c.Action == "get" {
		return setting(out.Settings, c.Args[0])
	}
	return out, nil
}

// settingResult is the result of config get.
type settingResult struct {
	settings.Setting
	cli.WarningList
}

// setting returns the one of a name.
func setting(all []settings.Setting, name string) (cli.Result, error) {
	var names []string
	for _, s := range all {
		if s.Name == name {
			return &settingResult{Setting: s}, nil
		}
		names = append(names, s.Name)
	}
	return nil, cli.UsageErrorf("config: there is no setting %q%s; lcm-tui config lists them", name, cli.DidYouMean(name, "", names))
}

func (s *settingResult) Print(p *cli.Printer) { p.Write(ui.Line(formatValue(s.Value)) + "\n") }

func configFiles(c *cli.Invocation, h openclaw.Config) []configFile {
	files := []configFile{
		{h.Path, "the host's configuration", h.Found},
		{h.EnvPath, "variables that the host sets for itself", h.EnvFound},
	}
	for _, agent := range c.Locations.Agents() {
		if path := agent.SignInPath(); isFile(path) {
			files = append(files, configFile{path, "the sign-ins of agent " + agent.ID, true})
		}
	}
	if path := userconfig.Path(c.Sys.Env); path != "" {
		files = append(files, configFile{path, "your keys and colours of the screens", isFile(path)})
	}
	if prices := choose.PricesFile(c.Sys.Env); prices != "" {
		files = append(files, configFile{prices, "your prices of models", isFile(prices)})
	}
	return files
}

func isFile(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// places returns the settings of where things are.
func places(c *cli.Invocation, h openclaw.Config) []settings.Setting {
	const plugin = "openclaw.json plugins.entries.lossless-claw.config."
	named := func(env string, keys ...string) string {
		if c.Sys.Env(env) != "" {
			return "environment " + env
		}
		for _, k := range keys {
			if s, ok := h.Plugin[k].(string); ok && s != "" {
				return plugin + k
			}
		}
		return settings.FromDefault
	}
	db := named("LCM_DATABASE_PATH", "dbPath", "databasePath")
	if c.Opts.Database() != "" || c.Chosen != nil {
		db = settings.FromFlag
	}
	return []settings.Setting{
		{Name: "dbPath", Value: c.Locations.Database, Source: db, About: "the database"},
		{Name: "largeFilesDir", Value: c.Locations.FilesDir, Source: named("LCM_LARGE_FILES_DIR", "largeFilesDir"), About: "where large payloads stand that were moved out of messages"},
	}
}

// modelSettings returns those of the model in force. A key is set or unset.
func modelSettings(r choose.Resolved) []settings.Setting {
	key, from := any("unset"), "looked for "+strings.Join(r.KeyNames, ", ")
	switch {
	case r.Key.Set():
		key, from = "set", r.KeyFrom
	case r.Withheld != "":
		from = r.Withheld + " is not sent to this address"
	case len(r.SignInProblems) > 0:
		from += "; " + strings.Join(r.SignInProblems, "; ")
	case len(r.KeyNames) == 0:
		key, from = nil, settings.FromDefault
	}
	text := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	either := func(from string) string {
		if from == "" {
			return settings.FromDefault
		}
		return from
	}
	return []settings.Setting{
		{Name: "summaryProvider", Value: r.Provider, Default: model.Extractive, Source: r.From, About: "who makes summaries; extractive asks nobody"},
		{Name: "summaryModel", Value: text(r.Model), Source: either(r.ModelFrom), About: "the model that makes summaries"},
		{Name: "summaryApi", Value: text(string(r.API)), Source: either(r.APIFrom), About: "how the provider is spoken to"},
		{Name: "summaryBaseUrl", Value: text(r.BaseURL), Source: either(r.BaseFrom), About: "the provider's address"},
		{Name: "summaryKey", Value: key, Source: from, About: "the key; one from a vendor's own variable or from a sign-in of the host goes to that vendor only"},
	}
}

// formatValue returns a value for people.
func formatValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case string:
		if v == "" {
			return "–"
		}
		return v
	case []string:
		return strings.Join(v, ", ")
	case []any:
		return plural.Count(len(v), "entry", "entries")
	case map[string]any:
		return plural.Count(len(v), "entry", "entries")
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

func (f *configPaths) Print(p *cli.Printer) {
	for _, at := range f.Files {
		line := ui.Line(at.Path)
		if !at.Found {
			line += cli.Styled(p.Styles.Muted, " (not there)")
		}
		p.Line(line)
	}
}
