package views

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/ui"
)

// mostPlaces is how many summaries and messages of findings are read, so that their rows
// have dates. Findings beyond are named by their ids.
const mostPlaces = 2000

// FindingPlaces are the conversations, summaries and messages that findings are about, so
// that they are shown by name and date. Jobs add to it while the screen reads it.
type FindingPlaces struct {
	mu            sync.Mutex
	conversations map[int64]lcm.Conversation
	summaries     map[string]lcm.Summary // Without their texts.
	messages      map[int64]lcm.Message
	missing       map[string]bool // Asked for and not there.
}

// NewFindingPlaces returns the places of no finding.
func NewFindingPlaces() *FindingPlaces {
	return &FindingPlaces{
		conversations: map[int64]lcm.Conversation{}, summaries: map[string]lcm.Summary{},
		messages: map[int64]lcm.Message{}, missing: map[string]bool{},
	}
}

// Read reads the places of findings that aren't known yet. What can't be read is named by its
// id.
func (p *FindingPlaces) Read(ctx context.Context, db *data.DB, list []integrity.Finding) {
	p.readConversations(ctx, db, list)
	var messages []int64
	for _, f := range list {
		switch {
		case strings.HasPrefix(f.Row, "sum_"):
			p.readSummary(ctx, db, f.Row)
		case f.Table == "messages":
			if id, err := strconv.ParseInt(f.Row, 10, 64); err == nil && p.wantsMessage(id) {
				messages = append(messages, id)
			}
		}
	}
	found, err := lcm.Previews(ctx, db, messages)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range found {
		m.Content, m.Parts = "", nil
		p.messages[m.ID] = m
	}
}

// readConversations reads all conversations once one of them isn't known.
func (p *FindingPlaces) readConversations(ctx context.Context, db *data.DB, list []integrity.Finding) {
	unknown := false
	for _, f := range list {
		if _, known := p.conversation(f.Conversation); !known && f.Conversation != 0 {
			unknown = true
		}
	}
	p.mu.Lock()
	read := len(p.conversations) > 0
	p.mu.Unlock()
	if !unknown || read {
		return
	}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range all {
		p.conversations[c.ID] = c
	}
}

func (p *FindingPlaces) readSummary(ctx context.Context, db *data.DB, id string) {
	p.mu.Lock()
	_, known := p.summaries[id]
	skip := known || p.missing[id] || len(p.summaries) >= mostPlaces
	p.mu.Unlock()
	if skip {
		return
	}
	s, err := lcm.ReadSummary(ctx, db, id)
	s.Content = ""
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		p.missing[id] = true
		return
	}
	p.summaries[id] = s
}

func (p *FindingPlaces) wantsMessage(id int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := p.messages[id]
	return !known && len(p.messages) < mostPlaces
}

func (p *FindingPlaces) conversation(id int64) (lcm.Conversation, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.conversations[id]
	return c, ok
}

func (p *FindingPlaces) summary(id string) (lcm.Summary, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.summaries[id]
	return s, ok
}

func (p *FindingPlaces) message(row string) (lcm.Message, bool) {
	id, err := strconv.ParseInt(row, 10, 64)
	p.mu.Lock()
	defer p.mu.Unlock()
	m, ok := p.messages[id]
	return m, ok && err == nil
}

// dayFormat is a date in lists.
const dayFormat = "Jan 2"

// days returns the days from one time to another; of other years than the present with the year.
func (c clock) days(from, to data.Time) string {
	day := func(t time.Time) string {
		t = c.Local(t)
		if t.Year() != c.Local(c.Now()).Year() {
			return t.Format(dayFormat + " 2006")
		}
		return t.Format(dayFormat)
	}
	switch {
	case !from.Valid() && !to.Valid():
		return ""
	case !from.Valid():
		return day(to.Time)
	case !to.Valid() || day(from.Time) == day(to.Time):
		return day(from.Time)
	}
	return day(from.Time) + " – " + day(to.Time)
}

// FindingPlace returns where a finding is: the row in words with its date, and before it the
// conversation by its name where that is to be named.
func (e *Env) FindingPlace(p *FindingPlaces, f *integrity.Finding, named bool) string {
	row := e.rowName(p, f)
	if !named || f.Conversation == 0 {
		return row
	}
	name := e.Label(f.Conversation)
	c, known := p.conversation(f.Conversation)
	if known {
		name = ui.LineN(NameOf(c, ""), 28) + " #" + Itoa(f.Conversation)
	}
	if f.Table == "conversations" && f.Row == Itoa(f.Conversation) {
		if days := e.days(c.CreatedAt, c.UpdatedAt); days != "" {
			return name + ", " + days
		}
		return name
	}
	return name + " › " + row
}

// nodeSuffix is the end of a pending node's id, which says what it covers.
var nodeSuffix = lazyregexp.New(`-(?:leaf|condensed-d\d+)-(\d+)-(\d+)$`)

// nodeName returns the ordinals that a pending node covers, or its id where that doesn't say.
func nodeName(id string) string {
	m := nodeSuffix.FindStringSubmatch(id)
	switch {
	case m == nil:
		return ShortID(id, IDWidth)
	case m[1] == m[2]:
		return "of ordinal " + m[1]
	}
	return "of ordinals " + m[1] + "–" + m[2]
}

// rowName returns the row of a finding in words, with its date where it is known.
func (e *Env) rowName(p *FindingPlaces, f *integrity.Finding) string {
	dated := func(name, days string) string {
		if days == "" {
			return name
		}
		return name + ", " + days
	}
	switch {
	case strings.HasPrefix(f.Row, "sum_"):
		name := ShortID(f.Row, IDWidth)
		if s, ok := p.summary(f.Row); ok {
			return dated("d"+Itoa(s.Depth)+" "+name, e.days(s.EarliestAt, s.LatestAt))
		}
		return "summary " + name
	case f.Table == "messages":
		if m, ok := p.message(f.Row); ok {
			return dated(m.Role+" message #"+Itoa(m.Seq), e.days(m.CreatedAt, m.CreatedAt))
		}
		return "message " + ui.LineN(f.Row, 24)
	case f.Table == "context_items":
		return "context item " + ui.LineN(f.Row, 24)
	case f.Table == "conversations":
		if c, ok := p.conversation(RowID(f.Row)); ok {
			return dated(e.Label(c.ID), e.days(c.CreatedAt, c.UpdatedAt))
		}
		return "conversation " + ui.LineN(f.Row, 24)
	case f.Table == data.PendingNodeTable:
		return "pending node " + nodeName(f.Row)
	case f.Table == data.PendingBatchTable:
		return "pending batch " + ShortID(f.Row, IDWidth)
	}
	return strings.ReplaceAll(f.Table, "_", " ") + " " + ui.LineN(f.Row, 24)
}
