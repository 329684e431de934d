package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/plural"
)

// statusTool says what the memory is, how much it holds and whether it is healthy.
func statusTool() tool {
	return tool{
		name: "lcm_status", title: "Memory status",
		about: "Show which database this memory is, how many conversations, messages, summaries and files it holds, the time of its newest message, and how many faults a check found. It repairs nothing.",
		call:  readStatus,
	}
}

func readStatus(ctx context.Context, c *call) (answer, error) {
	scope, err := c.confined(ctx)
	if err != nil {
		return answer{}, err
	}
	all, err := c.visible(ctx, scope)
	if err != nil {
		return answer{}, err
	}
	out := []string{"## LCM Status", "**Database:** " + oneLine(c.db.Path(), maxName), "**Written by:** " + oneLine(c.db.Kind().String(), maxName)}
	if scope.All() {
		out = append(out, "**Size:** "+plural.Count(c.db.Size(), "byte", "bytes"))
	}
	out = append(out, "**Conversation scope:** "+scope.String())
	counts, err := c.counts(ctx, all, scope.All())
	if err != nil {
		return answer{}, err
	}
	out = append(out, counts...)
	newest := "-"
	if len(all) > 0 {
		newest = retrieve.Instant(all[0].newest).String()
	}
	out = append(out, "**Newest message:** "+newest)
	imported, err := c.lastImport(ctx, all)
	if err != nil {
		return answer{}, err
	}
	out = append(out, "**Last import:** "+imported, "**Health:** "+c.healthText(ctx, all, scope.All()))
	return answer{text: strings.Join(out, "\n") + "\n", narrower: "the rest can't be shown"}, nil
}

// counts says how many rows the conversations have. Of the whole file they are counted at once.
func (c *call) counts(ctx context.Context, all []listed, whole bool) ([]string, error) {
	var messages, summaries, files int64
	add := func(s lcm.Stats) {
		messages, summaries, files = messages+s.Messages, summaries+s.SummaryCount(), files+s.LargeFiles
	}
	if whole {
		stats, err := lcm.AllStats(ctx, c.db)
		if err != nil {
			return nil, err
		}
		for _, s := range stats {
			add(*s)
		}
	}
	for _, l := range all {
		if whole {
			break
		}
		s, err := lcm.ReadStats(ctx, c.db, l.ID)
		if err != nil {
			return nil, err
		}
		add(s)
	}
	return []string{
		"**Conversations:** " + plural.Count(len(all), "conversation", "conversations"),
		fmt.Sprintf("**Rows:** %s, %s, %s", plural.Count(messages, "message", "messages"), plural.Count(summaries, "summary", "summaries"), plural.Count(files, "large file", "large files")),
	}, nil
}

// lastImport returns when a transcript of the conversations was last seen to change.
func (c *call) lastImport(ctx context.Context, all []listed) (string, error) {
	states, err := lcm.Bootstraps(ctx, c.db)
	if err != nil {
		return "", err
	}
	var newest int64
	for _, l := range all {
		newest = max(newest, states[l.ID].ModTimeMS)
	}
	if newest <= 0 {
		return "no transcript was imported", nil
	}
	return "a transcript of " + retrieve.Instant(data.Time{Time: time.UnixMilli(newest)}).String(), nil
}

// healthText counts findings by severity. A check of a large file takes longer than a call may:
// it goes on in the background, and the next call has its result.
func (c *call) healthText(ctx context.Context, all []listed, whole bool) string {
	found, done, err := c.health.findings(ctx, c.Server, c.db)
	switch {
	case err != nil:
		return "the check failed: " + oneLine(err.Error(), maxName)
	case !done:
		return "a check is running; call again in a minute"
	}
	visible := map[int64]bool{0: whole}
	for _, l := range all {
		visible[l.ID] = true
	}
	var counts integrity.Counts
	for _, f := range found {
		if visible[f.Conversation] && (whole || !f.AcrossConversations) {
			counts.Add(f.Severity)
		}
	}
	if counts == (integrity.Counts{}) {
		return "no fault was found"
	}
	return fmt.Sprintf("%d fatal, %d error, %d warn, %d info; a person can look at them with lcm-tui doctor", counts.Fatal, counts.Error, counts.Warn, counts.Info)
}
