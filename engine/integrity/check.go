package integrity

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data"
)

// Request says what is to be checked.
type Request struct {
	Conversation int64    // 0: the whole file.
	Faults       []string // The ids to look for; nil: all.
	FilesDir     string   // Where large files lie; empty: their places aren't looked at.
}

// Check looks for faults and says what it found. It reads only. On a damaged file
// it goes as far as it can, and S01 says that it did.
func Check(ctx context.Context, db *data.DB, r Request, report data.Report) (Diagnosis, error) {
	if report == nil {
		report = func(int, int, string) {}
	}
	c := &checker{db: db, Request: r, now: db.Now(), report: report}
	if err := c.run(ctx); err != nil {
		return Diagnosis{}, err
	}
	list := slices.DeleteFunc(c.list, func(f Finding) bool { return !c.wants(f.Fault) })
	return newDiagnosis(list), nil
}

// checker is one check.
type checker struct {
	Request
	found
	db     *data.DB
	now    time.Time
	report data.Report
	all    []data.SeenConversation
	strays map[int64][]data.SeenLink // Links from elsewhere, by the conversation they lead to.
}

// wants reports whether one of the faults is asked for.
func (c *checker) wants(ids ...string) bool {
	return c.Faults == nil || slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(c.Faults, id) })
}

func (c *checker) run(ctx context.Context) (err error) {
	if c.all, err = c.db.SeenConversations(ctx); err != nil {
		return err
	}
	if err := c.straying(ctx); err != nil {
		return err
	}
	for i, conv := range c.all {
		if c.Conversation != 0 && conv.ID != c.Conversation {
			continue
		}
		c.report(i, len(c.all), "checking conversation "+number(conv.ID))
		list, err := c.talk(ctx, conv)
		if err != nil {
			return err
		}
		c.list = append(c.list, list...)
	}
	return nil
}

// straying reads the links that lead out of conversations, or from nowhere.
func (c *checker) straying(ctx context.Context) error {
	links, err := c.db.StrayLinks(ctx, c.Conversation)
	c.strays = map[int64][]data.SeenLink{}
	for _, l := range links {
		c.strays[l.SourceOwner] = append(c.strays[l.SourceOwner], l)
	}
	return err
}
