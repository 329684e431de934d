package hints

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/promoted"
)

// Prompt is one that a user gave.
type Prompt struct {
	Text string
	At   time.Time
}

// Session is the prompts of a conversation, in order.
type Session struct {
	Conversation int64
	Prompts      []Prompt
}

// Project is the sessions of one project in the order of their times, and what its promoted memory holds.
type Project struct {
	Name     string
	Sessions []Session
	Entries  []promoted.Entry
}

// Counts is what a replay counted. A hint from another project can't belong to the prompt.
type Counts struct {
	Prompts int `json:"prompts"` // That were replayed with the past of their own project.
	Hinted  int `json:"hinted"`  // That got a hint.
	Foreign int `json:"foreign"` // That were replayed with the summaries of other projects.
	False   int `json:"false"`   // That got a hint then.
}

// Shown is a prompt of a replay that got hints.
type Shown struct {
	Project      string `json:"project"`
	Conversation int64  `json:"conversation"`
	Prompt       string `json:"prompt"`
	Foreign      bool   `json:"foreign"`
	Hints        []Hint `json:"hints"`
}

// Replay asks for the hints that each prompt would have got at its time, and again with what other projects recorded.
// Least is the coverage of a hint as in Request; show is called with each prompt that gets one, and may be nil.
func Replay(ctx context.Context, db *data.DB, projects []Project, least float64, show func(Shown)) (c Counts, err error) {
	for _, p := range projects {
		var past, foreign []int64
		for _, o := range projects {
			if o.Name != p.Name {
				foreign = append(foreign, conversationsOf(o.Sessions)...)
			}
		}
		for _, s := range p.Sessions {
			known := map[string]bool{}
			for _, prompt := range s.Prompts {
				own := Request{Prompt: prompt.Text, Conversations: past, Entries: p.Entries, Known: known, Before: prompt.At, Least: least}
				if err := replayOne(ctx, db, own, Shown{Project: p.Name, Conversation: s.Conversation, Prompt: prompt.Text}, &c.Prompts, &c.Hinted, show); err != nil {
					return c, err
				}
				if len(foreign) == 0 {
					continue
				}
				other := Request{Prompt: prompt.Text, Conversations: foreign, Least: least}
				if err := replayOne(ctx, db, other, Shown{Project: p.Name, Conversation: s.Conversation, Prompt: prompt.Text, Foreign: true}, &c.Foreign, &c.False, show); err != nil {
					return c, err
				}
			}
			past = append(slices.Clip(past), s.Conversation)
		}
	}
	return c, nil
}

// replayOne asks for the hints of one prompt and counts it.
func replayOne(ctx context.Context, db *data.DB, r Request, s Shown, asked, hinted *int, show func(Shown)) (err error) {
	*asked++
	if s.Hints, err = r.Find(ctx, db); err != nil || len(s.Hints) == 0 {
		return err
	}
	*hinted++
	for _, h := range s.Hints {
		if r.Known != nil {
			r.Known[h.ID] = true
		}
	}
	if show != nil {
		show(s)
	}
	return nil
}

func conversationsOf(sessions []Session) (ids []int64) {
	for _, s := range sessions {
		ids = append(ids, s.Conversation)
	}
	return ids
}
