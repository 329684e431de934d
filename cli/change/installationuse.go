package change

import (
	"context"
	"slices"
	"strings"
	"time"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/install"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/follow"
	"lcm-tui/ui/userconfig"
)

// uses returns how clients were used: when each wrote a session file last, and which hooks it called.
func uses(ctx context.Context, c *cli.Invocation) (map[string]install.Use, error) {
	receipts, err := c.Receipts(ctx)
	if err != nil {
		return nil, err
	}
	saved, _, err := c.StoredSessions(ctx)
	if err != nil {
		saved = nil // The database has a finding of its own.
	}
	out, ignored := map[string]install.Use{}, cli.KeepsNothingOf(ctx, c.Sys.Env)
	for _, client := range clients.All() {
		folder := client.Sessions(c.Sys.Env)
		if folder == "" || !cli.FileExists(folder) {
			continue
		}
		use := install.Use{Fired: map[string]bool{}}
		found, _ := follow.List(ctx, []string{folder}) // What can't be read says nothing.
		if len(found) > 0 {
			use.Session = found[len(found)-1].ModTime
		}
		r := c.Clients().RetentionOf(string(client))
		for _, s := range found {
			if saved[s.Path] >= s.Size || !r.DiesWithin(7, s.ModTime, time.Now()) || ignored(s.Path) {
				continue
			}
			if use.Dying++; r.DiesWithin(2, s.ModTime, time.Now()) {
				use.Soon++
			}
		}
		for _, r := range receipts {
			if r.Client == string(client) {
				use.Fired[r.Event] = true
			}
		}
		out[string(client)] = use
	}
	return out, ctx.Err()
}

// checkSummarizer notes a model for the summaries that hooks ask for, named in config.toml, that can't be asked: its
// program or its key is not there.
func checkSummarizer(c *cli.Invocation) []install.Finding {
	config := userconfig.Load(userconfig.Path(c.Sys.Env))
	if !config.Work.Enabled {
		return nil
	}
	r, err := c.ResolveModel(choose.Choice{Provider: config.Work.Provider, Model: config.Work.Model})
	if err == nil {
		err = r.Ready()
	}
	if err == nil {
		return nil
	}
	repair := strings.TrimSpace(hint.Of(err))
	if repair == "" {
		repair = "see lcm-tui config"
	}
	return []install.Finding{{ID: "I15", Severity: install.SeverityError, Path: config.Path, Pointer: "work", Text: "no summaries can be made: " + err.Error(), Repair: repair}}
}

// checkPatterns notes patterns and rules of the user for secrets that can't be read: hooks hand nothing over then,
// because what is secret isn't known.
func checkPatterns(c *cli.Invocation) []install.Finding {
	if _, err := c.Sys.MaskerHere(); err != nil {
		return []install.Finding{{ID: "I19", Severity: install.SeverityError, Path: cli.SecretConfig(c.Sys.Env).PatternFile(""), Text: "what is secret can't be read, so that hooks hand nothing over: " + err.Error(), Repair: "correct it; lcm-tui sensitive lists the files"}}
	}
	return nil
}

// checkConfiguration notes what keeps the host from using lossless-claw, and what of its settings it refuses or passes over.
func checkConfiguration(ctx context.Context, c *cli.Invocation) (found []install.Finding) {
	warned := slices.Clone(c.CommandWarnings)
	conf := c.HostSettings(nil)
	c.CommandWarnings = warned // They are findings here.
	for _, why := range conf.Enablement().Reasons {
		found = append(found, install.Finding{ID: "I17", Severity: install.SeverityError, Path: conf.Host.Path, Text: why.Error(), Repair: hint.Of(why)})
	}
	for _, p := range conf.Check(c.FileKind(ctx)) {
		one := install.Finding{ID: "I17", Severity: install.SeverityWarn, Pointer: p.Place + " " + p.Name, Text: p.Text, Repair: p.Next}
		if p.IsQuiet() {
			continue
		}
		if p.StopsHost() || p.Kind == settings.Misplaced {
			one.Severity = install.SeverityError
		}
		if strings.HasPrefix(p.Place, "openclaw.json") {
			one.Path, one.Pointer = conf.Host.Path, strings.TrimPrefix(p.Place, "openclaw.json ")+"."+p.Name
		}
		found = append(found, one)
	}
	return found
}
