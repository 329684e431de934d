package hosts

import (
	"strconv"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
	"lcm-tui/ui"
)

// enablementSettings returns what says whether the host uses the plugin.
func enablementSettings(e settings.Enablement) []settings.Setting {
	const host = "openclaw.json plugins."
	rows := []settings.Setting{
		{Name: "plugins.entries.lossless-claw.enabled", Value: e.Enabled, Default: true, Source: settings.FromDefault, About: "whether the host starts the plugin"},
		{Name: "plugins.slots.contextEngine", Value: "lossless-claw", Default: "lossless-claw", Source: settings.FromDefault, About: "the plugin that keeps the context; legacy is none"},
		{Name: "plugins.allow", Source: settings.FromDefault, About: "the plugins that the host may load; not set, all of them"},
	}
	if !e.Enabled {
		rows[0].Source = host + "entries.lossless-claw.enabled"
	}
	if e.Slot != "" {
		rows[1].Value, rows[1].Source = e.Slot, host+"slots.contextEngine"
	}
	if e.Allow != nil {
		rows[2].Value, rows[2].Source = e.Allow, host+"allow"
	}
	for i := range rows {
		rows[i].HostOnly = true
	}
	return rows
}

// claudeSettings are the settings of lossless-claude.
type claudeSettings struct {
	Path     string             `json:"path"`
	Found    bool               `json:"found"`
	Broken   *string            `json:"broken"`  // Why it can't be read; then the defaults are in force.
	Refused  *string            `json:"refused"` // Why lossless-claude doesn't start.
	Settings []settings.Setting `json:"settings"`
}

func readClaudeSettings(c *cli.Invocation) *claudeSettings {
	file := openclaw.ReadClaudeConfig(c.Sys.Env)
	out := &claudeSettings{Path: file.Path, Found: file.Found}
	if file.Err != nil {
		out.Broken = cli.OrNull(file.Err.Error())
	}
	all, refused := settings.LosslessClaude(file, c.Sys.Env)
	if file.Found { // Its variables are those of other programs as well.
		out.Refused = cli.OrNull(refused)
	}
	out.Settings = all
	return out
}

func (f *configuration) Print(p *cli.Printer) {
	f.table(p, f.Settings)
	if f.Why != nil {
		p.Line("")
		p.Line(cli.Styled(p.Styles.Warn, ui.Line(*f.Why)))
		if f.Hint != nil {
			p.Muted(ui.Line(*f.Hint))
		}
	}
	f.Own.print(p)
	f.Claude.print(p, f)
}

// print prints the settings of lossless-claude, where it has any.
func (s *claudeSettings) print(p *cli.Printer, f *configuration) {
	if s == nil || !s.Found {
		return
	}
	p.Write("\n")
	p.Title(ui.Line(s.Path))
	for _, wrong := range []*string{s.Broken, s.Refused} {
		if wrong != nil {
			p.Line(cli.Styled(p.Styles.Warn, ui.Line(*wrong)))
		}
	}
	f.table(p, s.Settings)
}

// table prints settings, with their versions where all are listed.
func (f *configuration) table(p *cli.Printer, all []settings.Setting) {
	columns := []cli.Column{{Title: "setting"}, {Title: "value", Grows: true}, {Title: "source", Grows: true}}
	if f.all {
		columns = append(columns, cli.Column{Title: "default", Grows: true}, cli.Column{Title: "least", Right: true}, cli.Column{Title: "versions"})
	}
	columns = append(columns, cli.Column{Title: "what it does", Grows: true, Style: p.Styles.Muted})
	rows := make([][]string, len(all))
	for i, s := range all {
		source := ui.Line(s.Source)
		if s.Source != settings.FromDefault {
			source = cli.Styled(p.Styles.Accent, source)
		}
		rows[i] = []string{ui.Line(s.Name), ui.LineN(formatValue(s.Value), 60), source}
		if f.all {
			rows[i] = append(rows[i], ui.LineN(formatDefault(s), 40), formatLeast(s.Facts), formatVersions(s.Facts))
		}
		rows[i] = append(rows[i], ui.Line(s.About))
	}
	p.Table(columns, rows)
}

// formatDefault returns a default, with that of older hosts.
func formatDefault(s settings.Setting) string {
	out := formatValue(s.Default)
	if s.Earlier != nil {
		out += ", before " + s.Earlier.Before + " " + formatValue(s.Earlier.Value)
	}
	return out
}

// formatLeast returns the least value, and the most where there is one.
func formatLeast(f settings.Facts) string {
	if f.Minimum == nil {
		return ""
	}
	out := strconv.FormatFloat(*f.Minimum, 'g', -1, 64)
	if f.Maximum != nil {
		out += " to " + strconv.FormatFloat(*f.Maximum, 'g', -1, 64)
	}
	return out
}

// formatVersions returns the versions that have a key.
func formatVersions(f settings.Facts) string {
	out := ""
	if f.Since != "" {
		out = "from " + f.Since
	}
	if f.Gone != "" {
		out = strings.TrimSpace(out + " before " + f.Gone)
	}
	return out
}
