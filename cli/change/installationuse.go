package change

import (
	"context"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/clients/install"
	"lcm-tui/engine/model/choose"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/follow"
)

// uses returns how clients were used: when each wrote a session file last, and which hooks it called.
func uses(ctx context.Context, c *cli.Invocation) (map[string]install.Use, error) {
	receipts, err := c.Receipts(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]install.Use{}
	for _, client := range clients.All() {
		folder := client.Sessions(c.Sys.Env)
		if folder == "" || !cli.FileExists(folder) {
			continue
		}
		use := install.Use{Fired: map[string]bool{}}
		if found, _ := follow.List(ctx, []string{folder}); len(found) > 0 { // What can't be read says nothing.
			use.Session = found[len(found)-1].ModTime
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

// checkSummarizer notes a model for summaries that was chosen and can't be asked: its program or its key is not there.
// One that nobody chose is no fault.
func checkSummarizer(c *cli.Invocation) []install.Finding {
	r, err := c.ResolveModel(choose.Choice{})
	if err == nil {
		if r.From == "" || r.From == "default" {
			return nil
		}
		err = r.Ready()
	}
	if err == nil {
		return nil
	}
	repair := strings.TrimSpace(hint.Of(err))
	if repair == "" {
		repair = "see lcm-tui config"
	}
	return []install.Finding{{ID: "I15", Severity: install.SeverityWarn, Path: r.From, Text: "no summaries can be made: " + err.Error(), Repair: repair}}
}
