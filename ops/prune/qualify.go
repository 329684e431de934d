package prune

import (
	"context"
	"maps"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/space"
)

const (
	// newestKept are how many of the newest messages of a conversation that may go on stay: a
	// host compares so many with what it is given.
	newestKept = 500
	// silence is for how long an active conversation has to be silent before it may go.
	silence = 7 * 24 * time.Hour
)

// mayGoOn begins the reason for which a conversation is left as it is that a host may store again.
const mayGoOn = "the conversation may go on"

// qualify sorts the selected conversations into those that qualify and those that are refused.
func (p *pruning) qualify(ctx context.Context, selected []selector.Conversation, why map[int64]string, report data.Report) (err error) {
	var copies map[int64]removal.Amount
	var shared map[int64]bool
	switch p.op.Verb {
	case Copies:
		copies, err = removal.CountCopies(ctx, p.db)
	case Text, Payloads:
		shared, err = removal.SharedMessages(ctx, p.db)
	case Conversations:
		err = removal.CheckRemovable(ctx, p.db)
	}
	if err != nil {
		return err
	}
	for i, c := range selected {
		candidate := candidate{Conversation: c, facts: p.facts[c.ID], why: why[c.ID]}
		switch p.op.Verb {
		case Copies:
			p.qualifyCopies(candidate, copies[c.ID])
		case Text, Payloads:
			if err = p.qualifyTexts(ctx, candidate, shared); err == nil && p.matched != nil {
				err = p.account(ctx, c)
			}
		case Conversations:
			err = p.qualifyConversation(ctx, candidate)
		}
		if err != nil {
			return err
		}
		report(i+1, len(selected), "looking for what qualifies")
	}
	if p.op.Verb == Conversations {
		return p.refuseReferred(ctx)
	}
	return nil
}

// qualifyCopies takes a conversation in which texts have copies.
func (p *pruning) qualifyCopies(c candidate, a removal.Amount) {
	if a.Rows == 0 {
		return
	}
	c.rows = map[string]int64{"message_parts": a.Rows}
	c.removal = space.Removal{"message_parts": {Bytes: a.Bytes}}
	p.chosen = append(p.chosen, c)
}

// qualifyConversation takes a conversation that is over: archived, or silent for a week, without a
// transcript and unknown to the host.
func (p *pruning) qualifyConversation(ctx context.Context, c candidate) error {
	if live := p.live.Why(ctx, hostFacts(c.facts)); live != "" {
		p.refuse(c.ID, "%s", live)
		return nil
	}
	if c.Active && !c.Newest.IsZero() && p.db.Now().Sub(c.Newest) < silence {
		p.refuse(c.ID, "the conversation is active, and its newest message is less than a week old")
		return nil
	}
	if why := p.whyStartStoresAgain(c); why != "" {
		p.refuse(c.ID, "%s", why)
		return nil
	}
	if err := p.addFiles(ctx, &c); err != nil {
		return err
	}
	c.rows, c.removal = map[string]int64{"conversations": 1}, space.Removal{"conversations": {Rows: 1}}
	for table, a := range p.size.Conversations[c.ID] {
		c.removal[table] = a
		if !slices.Contains(data.SearchTables(), table) {
			c.rows[table] = max(a.Rows, c.rows[table])
		}
	}
	p.chosen = append(p.chosen, c)
	return nil
}

// qualifyTexts takes a conversation with texts that may be forgotten.
func (p *pruning) qualifyTexts(ctx context.Context, c candidate, shared map[int64]bool) error {
	c.rule = removal.TextRule{Conversation: c.ID, Before: p.op.Selector.OlderThan, KeepUser: p.op.KeepUser}
	if p.matched != nil {
		c.rule.Only = p.matched.found[c.ID]
	}
	over := !c.Active && p.live.Why(ctx, hostFacts(c.facts)) == ""
	if !over {
		c.rule.KeepNewest = newestKept
		why, err := p.whyTextsReturn(ctx, &c)
		if err != nil {
			return err
		}
		if why != "" {
			p.refuse(c.ID, mayGoOn+", and %s: the host would store forgotten texts again", why)
			return nil
		}
	}
	if p.op.Verb == Payloads {
		c.rule.Payloads = p.op.Payload
	} else if !p.op.Uncovered {
		c.rule.Covered, c.rule.CoveredByAny = !over, over
	}
	marked, err := summarize.FindMarkers(ctx, p.db, c.ID)
	if err != nil {
		return err
	}
	c.rule.Marked = slices.Sorted(maps.Keys(marked))
	c.rule.InContext = p.op.Externalise
	a, err := p.textAmounts(ctx, &c, shared)
	if err != nil {
		return err
	}
	if a.Messages.Rows == 0 {
		p.refuse(c.ID, "%s", whyNoText(c, len(marked), p.outputsOnly[c.ID]))
		return nil
	}
	if n := len(marked); n > 0 {
		c.why += "; what is below " + plural.Count(n, "damaged summary", "damaged summaries") + " stays"
	}
	c.rows = map[string]int64{"messages": a.Messages.Rows, "message_parts": a.Parts.Rows}
	c.removal = space.Removal{
		"messages": {Bytes: a.Messages.Bytes}, "message_parts": {Bytes: a.Parts.Bytes}, data.MessageIndex: space.Amount(a.Search),
	}
	p.chosen = append(p.chosen, c)
	return nil
}

// whyTextsReturn says why a host would store the texts of a conversation again that may go on.
func (p *pruning) whyTextsReturn(ctx context.Context, c *candidate) (string, error) {
	if c.facts.One {
		return p.setAnchorRule(ctx, c)
	}
	named, err := removal.NamesEntries(ctx, p.db, c.ID)
	if err != nil {
		return "", err
	}
	if !named {
		return "its newest messages don't name the entries of its transcript", nil
	}
	why, err := p.live.WhyStoredAgain(ctx, p.db, hostFacts(c.facts))
	if p.op.Externalise && why != "" {
		p.outputsOnly[c.ID], why = true, ""
	}
	return why, err
}

// addFiles counts the large files that move into the trash with a conversation.
func (p *pruning) addFiles(ctx context.Context, c *candidate) error {
	files, err := removal.StoredFiles(ctx, p.db, []int64{c.ID}, p.op.FilesFolder)
	for _, f := range files {
		c.files, c.fileBytes = c.files+1, c.fileBytes+f.Bytes
	}
	return err
}

// textAmounts returns what leaves the file with the texts or payloads of a conversation.
func (p *pruning) textAmounts(ctx context.Context, c *candidate, shared map[int64]bool) (a removal.TextAmounts, err error) {
	if !p.op.Externalise {
		_, a, err = removal.Texts(ctx, p.db, c.rule, shared)
		return a, err
	}
	err = removal.EachReference(ctx, p.db, c.rule, shared, p.refer(), func(_ int64, m *lcm.RawMessage, ref removal.Reference) error {
		a.AddReference(m, ref)
		for _, f := range ref.Files {
			c.files, c.fileBytes = c.files+1, c.fileBytes+f.Bytes
		}
		return nil
	})
	return a, err
}

// whyNoText says why no text of a conversation may be forgotten.
func whyNoText(c candidate, marked int, outputsOnly bool) string {
	switch {
	case c.Messages == 0:
		return "it has no messages"
	case c.rule.KeepNewest > 0 && c.Messages <= newestKept:
		return "it may go on, and has no more than the 500 messages that a host compares"
	case marked > 0:
		return "no text qualifies: a summary above is damaged, and is repaired from the texts"
	case c.rule.InContext && outputsOnly:
		return "no output of a tool qualifies, and other payloads stay, since the host would store the conversation again"
	case c.rule.InContext:
		return "no payload qualifies: none is so large, or they are below a damaged summary, in files already, too new, or stored in a form that can't be rebuilt"
	case c.rule.Payloads > 0:
		return "no payload qualifies: none is so large, or they are in the context, below a damaged summary, forgotten already or too new"
	}
	return "no text qualifies: none is below a summary, or they are in the context, forgotten already or too new"
}
