package read

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	_ "time/tzdata" // For systems that have no zones of their own.

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// assembledContext is the result of assemble.
type assembledContext struct {
	Estimated int64              `json:"estimated_tokens"`
	Stats     assemble.Stats     `json:"stats"`
	Kept      int                `json:"kept_items"`
	Budget    int64              `json:"budget"`
	Messages  []assemble.Message `json:"messages"`
	cli.WarningList
}

// assembleFlags is what to assemble a context for.
type assembleFlags struct {
	contextLimits
	prompt *cli.TextFlag
	aware  bool
	stubs  bool
	zone   *cli.ZoneFlag
	typed  func(flag string) bool // Whether it was given.
}

func assembleCommand(a *cli.App) *cobra.Command {
	y := assembleFlags{contextLimits: newLimits(), prompt: &cli.TextFlag{Noun: "TEXT"}, zone: &cli.ZoneFlag{}}
	cmd := a.Command(cli.GroupAgents, "assemble CONV", "Print the messages that a model would get", y.run)
	cmd.Long = `Prints the messages that the host would send to a model for a conversation: the context as
far as it fits the budget, tool calls with their results, and summaries as XML.

Writes nothing.`
	cmd.Example = "  lcm-tui assemble 12\n  lcm-tui assemble 12 --budget 20000 --fresh-tail 8 --json"
	y.bind(cmd)
	fs := cmd.Flags()
	y.typed = fs.Changed
	fs.Var(y.prompt, "prompt", "the next question of the user, for --prompt-aware")
	fs.BoolVar(&y.aware, "prompt-aware", false, "prefer what is related to --prompt over what is newest")
	fs.BoolVar(&y.stubs, "stub-large", false, "replace large tool results outside the fresh tail by references")
	fs.Var(y.zone, "timezone", "the time zone of times in summaries, such as Europe/Berlin")
	return cmd
}

func (y *assembleFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	set, at, err := y.inForce(ctx, c, db, conv)
	if err = errors.Join(err, y.set.ExcludeFlag("timezone", y.zone.At != nil, "timezone")); err != nil {
		return nil, err
	}
	if y.zone.At != nil {
		at = y.zone.At
	}
	aware, stubs := set.PromptAwareEviction, set.StubLargeToolPayloads
	if y.typed("prompt-aware") {
		aware = y.aware
	}
	if y.typed("stub-large") {
		stubs = y.stubs
	}
	if !aware && y.prompt.Value != "" {
		return nil, cli.UsageErrorf("--prompt has no effect without --prompt-aware or the setting promptAwareEviction")
	}
	budget, err := y.effectiveBudget(ctx, db, conv.ID, set)
	if err != nil {
		return nil, err
	}
	got, err := assemble.Assemble(ctx, db, conv.ID, assemble.Options{
		Budget: budget, Tail: tailOf(set),
		PromptAware: aware, Prompt: y.prompt.Value, Location: at, StubLargePayloads: stubs,
	})
	if err != nil {
		return nil, err
	}
	for _, w := range got.Warnings {
		c.CommandWarnings = append(c.CommandWarnings, errors.New(w))
	}
	return &assembledContext{Estimated: got.Estimated, Stats: got.Stats, Kept: got.Kept, Budget: budget, Messages: got.Messages}, nil
}

// Stream writes the JSON a message at a time: they are JSON already, and need not be
// looked through again.
func (a *assembledContext) Stream(out io.Writer) error {
	frame := *a
	frame.Messages = []assemble.Message{}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(frame); err != nil {
		return err
	}
	before, after, _ := bytes.Cut(b.Bytes(), []byte(`"messages":[]`)) // Only numbers stand before it.
	line := append(slices.Clone(before), `"messages":[`...)
	for i, m := range a.Messages {
		if i > 0 {
			line = append(line, ',')
		}
		line = m.AppendJSON(line)
		if _, err := out.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	_, err := out.Write(append(append(line, ']'), after...))
	return err
}

func (a *assembledContext) Print(p *cli.Printer) {
	p.Linef("%s of %s, %d of %s kept", ui.Tokens(a.Estimated), ui.Tokens(a.Budget), a.Kept,
		plural.Count(a.Stats.TotalItems, "item", "items"))
	for _, m := range a.Messages {
		head := p.Styles.Role(m.Role).Render(m.Role)
		if about := ui.Line(m.About()); about != "" {
			head += " " + p.Styles.Muted.Render(about)
		}
		p.Line("")
		p.Line(head)
		if text := ui.Sanitize(m.Text()); text != "" {
			p.Block(text)
		}
	}
}
