package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ui/userconfig"
)

// curateFlags is what is curated.
type curateFlags struct{ all, apply, dry bool }

func curateCommand(a *cli.App) *cobra.Command {
	k := &curateFlags{}
	cmd := a.Command(cli.GroupAgents, "curate", "Import sessions, compact them, and promote what says most", k.run)
	cmd.Long = `Does three things, one after the other, in the database of lcm-tui init, or in the one that --db
names. It imports the sessions that ran in this folder, or with --all in every folder. It
compacts each conversation that has no summary and 10,000 tokens or more, the largest first,
and leaves its last 8 messages as they are. It promotes what says most of all summaries. The
summarizer is the one of [work] in config.toml, and without that the one that is built in,
which calls no model. It ends at the first thing that fails; what was done before stays. Hooks
ask for all this by themselves: it is for a start, or for agents without hooks.

Without --apply it shows what each would do to the database as it is. With --apply it writes;
each is a record, and lcm-tui undo undoes it.`
	cmd.Example = "  lcm-tui curate\n  lcm-tui curate --all --apply"
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.BoolVar(&k.all, "all", false, "the sessions of every folder")
	fs.BoolVar(&k.apply, "apply", false, "write the changes")
	fs.BoolVar(&k.dry, "dry-run", false, "only show what would change (the default)")
	return cmd
}

// curateResult is what the commands printed. One that had nothing to do has printed nothing.
type curateResult struct {
	Import  json.RawMessage   `json:"import"`
	Compact []json.RawMessage `json:"compact"` // One for each conversation.
	Promote json.RawMessage   `json:"promote"`
	cli.WarningList

	text strings.Builder
}

func (k *curateFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	c.OwnDatabase = true
	l, err := c.Locate()
	if err != nil {
		return nil, err
	}
	r := &curateResult{Import: json.RawMessage("null"), Compact: []json.RawMessage{}, Promote: json.RawMessage("null")}
	some := false
	// step runs a command on the database, and reports whether the next one may run.
	step := func(title string, into *json.RawMessage, args ...string) bool {
		args = append(args, cli.DatabaseFlags(c, l.Database)...)
		if k.apply {
			args = append(args, "--apply")
		}
		out, exit := c.Also(ctx, args...)
		if out = strings.TrimSpace(out); c.Opts.JSON && json.Valid([]byte(out)) {
			*into = json.RawMessage(out)
		}
		r.text.WriteString("== " + title + "\n" + strings.TrimLeft(out+"\n", "\n"))
		some = some || exit == 0
		if exit == cli.ExitNothing {
			exit = 0
		}
		c.Exit = exit
		return exit == 0
	}
	imports := []string{"import"}
	if k.all {
		imports = append(imports, "--all")
	}
	if !step("import", &r.Import, imports...) {
		return r, ctx.Err()
	}
	set := userconfig.Load(userconfig.Path(c.Sys.Env)).Work
	due, err := unsummarized(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, id := range due {
		args := []string{"compact", strconv.FormatInt(id, 10), "--force", "--set", "freshTailCount=" + strconv.Itoa(lastTail), "--provider", set.Provider}
		if set.Model != "" {
			args = append(args, "--model", set.Model)
		}
		out := json.RawMessage("null")
		goOn := step("compact conversation "+strconv.FormatInt(id, 10), &out, args...)
		if r.Compact = append(r.Compact, out); !goOn {
			return r, ctx.Err()
		}
	}
	if step("promote", &r.Promote, "promote", "--all") && !some {
		c.Exit = cli.ExitNothing
	}
	return r, ctx.Err()
}

// unsummarized returns the conversations that have no summary and are long enough to have one, the largest first.
func unsummarized(ctx context.Context, c *cli.Invocation) (ids []int64, err error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	all, stats, err := cli.CountedConversations(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, conv := range all {
		if n := stats[conv.ID]; conv.Active && !conv.OnlyPrompts() && n != nil && n.SummaryCount() == 0 && n.ContextTokens >= leastTokens {
			ids = append(ids, conv.ID)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int {
		return cmp.Or(cmp.Compare(stats[b].ContextTokens, stats[a].ContextTokens), cmp.Compare(a, b))
	})
	return ids, nil
}

// Print implements cli.Result.
func (r *curateResult) Print(p *cli.Printer) { p.Write(r.text.String()) }
