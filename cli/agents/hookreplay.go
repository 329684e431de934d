package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/data/promoted"
	"lcm-tui/engine/hints"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// mostReplayed is how many prompts are replayed where nothing else is given.
const mostReplayed = 500

// promptWidth is how much of a prompt is printed, in columns.
const promptWidth = 100

// replayResult is the result of hook replay.
type replayResult struct {
	hints.Counts
	Shown []hints.Shown `json:"shown"` // Of the prompts' own projects.
	False []hints.Shown `json:"false_hints"`
	cli.WarningList
}

// replayHints asks for the hints that the newest prompts of the database would have got.
func (k *hookFlags) replayHints(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if _, err := c.Open(ctx); err != nil {
		return nil, err
	}
	projects, err := k.projects(ctx, c)
	if err != nil {
		return nil, err
	}
	r := &replayResult{Shown: []hints.Shown{}, False: []hints.Shown{}}
	r.Counts, err = hints.Replay(ctx, c.DB, projects, 0, func(s hints.Shown) {
		if s.Foreign {
			r.False = append(r.False, s)
		} else {
			r.Shown = append(r.Shown, s)
		}
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// projects returns the sessions of each project, with the newest prompts of all.
func (k *hookFlags) projects(ctx context.Context, c *cli.Invocation) (out []hints.Project, err error) {
	entries, err := promoted.List(ctx, c.DB)
	if err != nil {
		return nil, err
	}
	all, err := lcm.Conversations(ctx, c.DB)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b lcm.Conversation) int { return b.CreatedAt.Compare(a.CreatedAt.Time) })
	places := map[string]int{}
	left := mostReplayed
	if k.limit.IsSet {
		left = int(k.limit.Value)
	}
	for _, conv := range all {
		parts := strings.SplitN(conv.SessionKey, ":", 3)
		if len(parts) < 3 || parts[0] != "agent" || strings.Contains(parts[2], "subagent:") || conv.OnlyPrompts() {
			continue
		}
		at, has := places[parts[1]]
		if !has {
			at = len(out)
			places[parts[1]] = at
			p := hints.Project{Name: parts[1]}
			for _, e := range entries {
				if !e.IsArchived() && (e.Project == p.Name || e.Project == "") {
					p.Entries = append(p.Entries, e)
				}
			}
			out = append(out, p)
		}
		s := hints.Session{Conversation: conv.ID}
		if left > 0 {
			err := lcm.EachUserText(ctx, c.DB, conv.ID, func(m lcm.Message) {
				s.Prompts = append(s.Prompts, hints.Prompt{Text: m.Content, At: m.CreatedAt.Time})
			})
			if err != nil {
				return nil, err
			}
			s.Prompts = s.Prompts[max(0, len(s.Prompts)-left):]
			left -= len(s.Prompts)
		}
		out[at].Sessions = append(out[at].Sessions, s)
	}
	for _, p := range out {
		slices.Reverse(p.Sessions)
	}
	return out, nil
}

// Print implements cli.Result.
func (r *replayResult) Print(p *cli.Printer) {
	if r.Prompts == 0 {
		p.Line("there is no prompt of a session yet")
		return
	}
	p.Line(fmt.Sprintf("%s: %d would have got a hint (%s)", plural.Count(r.Prompts, "prompt", "prompts"), r.Hinted, ui.Percent(float64(r.Hinted)/float64(r.Prompts))))
	if r.Foreign == 0 {
		p.Line("there is one project only: how many hints are false can't be measured")
	} else {
		p.Line(fmt.Sprintf("with the summaries of other projects, where each hint is false: %d (%s)", r.Counts.False, ui.Percent(float64(r.Counts.False)/float64(r.Foreign))))
	}
	for _, list := range []struct {
		title string
		shown []hints.Shown
	}{{"Hints:", r.Shown}, {"False hints:", r.False}} {
		if len(list.shown) == 0 {
			continue
		}
		p.Write("\n")
		p.Line(list.title)
		for _, s := range list.shown {
			p.Line(fmt.Sprintf("%s, conversation %d: %s", ui.Line(s.Project), s.Conversation, ui.Cut(ui.Line(s.Prompt), promptWidth)))
			for _, h := range s.Hints {
				p.Muted(fmt.Sprintf("  %.2f %s: %s", h.Coverage, ui.Line(h.ID), ui.Line(h.Text)))
			}
		}
	}
	if r.Hinted > 0 {
		p.Write("\n")
		p.Muted("read whether the hints belong to their prompts; lcm-tui install CLIENT --hints --apply switches them on")
	}
}
