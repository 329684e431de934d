package comparison

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/lineage"
)

// Place is where the text of an item of a rollout is in the conversation.
type Place string

// The places.
const (
	InContext Place = "context"   // Its message is in the context.
	Covered   Place = "summary"   // A summary in the context covers its message.
	Forgotten Place = "forgotten" // It is stored, and the context doesn't lead to it.
	Missing   Place = "missing"   // It isn't stored.
	Redacted  Place = "redacted"  // The rollout has no text for it, only a cipher.
	Extra     Place = "extra"     // It stands in the context, and not in the rollout.
)

// Row is an item of the rollout beside its place, or an item of the context that the
// rollout lacks.
type Row struct {
	Line    int64     `json:"line,omitempty"` // Of the rollout, from 1.
	At      time.Time `json:"at,omitzero"`
	Role    string    `json:"role"`
	Preview string    `json:"preview"` // The start of what it says, or said.
	Place   Place     `json:"place"`
	Message int64     `json:"message_id,omitempty"`
	Seq     int64     `json:"seq,omitempty"`
	Ordinal *int64    `json:"ordinal,omitempty"`    // Of the context item.
	Summary string    `json:"summary_id,omitempty"` // The one in the context, if it is covered.
	// Ambiguous says that the same text stands at several places, not equally often in
	// both, so that it may belong to another one.
	Ambiguous bool `json:"ambiguous,omitempty"`
}

// Comparison is the result of comparing a rollout with a conversation.
type Comparison struct {
	Conversation int64  `json:"conversation_id"`
	Path         string `json:"rollout"`
	Thread       string `json:"thread_id"`
	Aligned      int    `json:"aligned"` // Items that are stored.
	Missing      []Row  `json:"missing"`
	Extra        []Row  `json:"extra"` // Stored messages that the rollout lacks.
	Ambiguous    []Row  `json:"ambiguous"`
	Redacted     []Row  `json:"redacted"`
	// Rows are the items of the rollout in order, and between them the context items
	// that it lacks.
	Rows     []Row `json:"rows"`
	BadLines int   `json:"bad_line_count"`
}

// maxPreview is how many bytes of a text a row has.
const maxPreview = 400

// Compare compares the rollout in a file with a conversation.
func Compare(ctx context.Context, db *data.DB, conv int64, path string) (*Comparison, error) {
	f, err := transcript.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	if f.Kind != transcript.Codex {
		return nil, fmt.Errorf("compare: %s is a session file of %s, not a rollout of Codex", path, f.Kind)
	}
	c := &comparer{
		Comparison: &Comparison{
			Conversation: conv, Path: path, Thread: f.Session.ID,
			Missing: []Row{}, Extra: []Row{}, Ambiguous: []Row{}, Redacted: []Row{}, Rows: []Row{},
		},
		pieces: map[string][]int{}, taken: map[int]bool{}, used: map[piece]bool{}, textCount: map[string]int{},
	}
	if err := c.readMessages(ctx, db); err != nil {
		return nil, err
	}
	if err := c.findPlaces(ctx, db); err != nil {
		return nil, err
	}
	if err := c.readRollout(ctx, f); err != nil {
		return nil, err
	}
	c.align()
	return c.Comparison, nil
}

// comparer makes a comparison.
type comparer struct {
	*Comparison
	messages  []data.Message
	firstKeys []string         // The first key of each.
	places    []Row            // Of each message, by its index.
	pieces    map[string][]int // The messages with a text, in order.
	taken     map[int]bool     // Messages that were found in the rollout.
	used      map[piece]bool   // Their texts.
	items     []item
	textCount map[string]int // How often the rollout has a text.
}

// item is one of the rollout, with the texts that it may be known by.
type item struct {
	Row
	keys []string
}

// readMessages reads the conversation's messages and what they say.
func (c *comparer) readMessages(ctx context.Context, db *data.DB) error {
	const page = 500
	after := int64(math.MinInt64)
	for {
		ms, err := db.Messages(ctx, c.Conversation, data.Page{After: after, Limit: page, Clip: data.WholeText})
		if err != nil {
			return err
		}
		for _, m := range ms {
			n := len(c.messages)
			seen, firstKey := map[string]bool{}, ""
			for _, text := range textsOf(m) {
				if key := keyOf(text); key != "" && !seen[key] {
					seen[key] = true
					c.pieces[key] = append(c.pieces[key], n)
					if firstKey == "" {
						firstKey = key
					}
				}
			}
			c.firstKeys = append(c.firstKeys, firstKey)
			m.Content = firstText(m)
			m.Parts = nil
			c.messages = append(c.messages, m)
			after = m.Seq
		}
		if len(ms) < page {
			return nil
		}
	}
}

// textsOf is what a message says, whole and in its parts.
func textsOf(m data.Message) []string {
	out := []string{m.Content}
	for _, p := range m.Parts {
		out = append(out, p.Text, p.ToolInput, p.ToolOutput)
	}
	return out
}

func firstText(m data.Message) string {
	for _, text := range textsOf(m) {
		if strings.TrimSpace(text) != "" {
			return preview(text)
		}
	}
	return ""
}

func preview(text string) string {
	if len(text) > maxPreview {
		text = strings.ToValidUTF8(text[:maxPreview], "")
	}
	return text
}

// keyOf is what texts are compared by: their letters and digits, so that neither the
// white space nor the escapes of JSON matter.
func keyOf(text string) string {
	if quoted := strings.TrimSpace(text); strings.HasPrefix(quoted, `"`) {
		if s := jstext.Parse(quoted).Text(); s != "" {
			text = s
		}
	}
	text = strings.NewReplacer(`\n`, " ", `\t`, " ", `\"`, " ").Replace(text)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// findPlaces finds where each message stands.
func (c *comparer) findPlaces(ctx context.Context, db *data.DB) error {
	items, err := db.Context(ctx, c.Conversation)
	if err != nil {
		return err
	}
	ordinals := map[int64]int64{}
	for _, i := range items {
		if !i.IsSummary() {
			ordinals[i.Message] = i.Ordinal
		}
	}
	graph, err := lineage.Load(ctx, db, c.Conversation, 1)
	if err != nil {
		return err
	}
	for _, m := range c.messages {
		r := Row{Role: m.Role, Preview: m.Content, At: m.CreatedAt.Time, Message: m.ID, Seq: m.Seq, Place: Forgotten}
		if ordinal, ok := ordinals[m.ID]; ok {
			r.Place, r.Ordinal = InContext, &ordinal
		} else if top, ok := above(graph, m.SummaryIDs); ok {
			r.Place, r.Summary, r.Ordinal = Covered, top.ID, &top.Ordinal
		}
		c.places = append(c.places, r)
	}
	return nil
}

// above is the summary in the context that stands for one of some leaves.
func above(graph *lineage.Graph, leaves []string) (*lineage.Node, bool) {
	for _, id := range leaves {
		n, ok := graph.Node(id)
		if ok && n.InContext() {
			return n, true
		}
		if ok {
			if top, ok := graph.ContextAncestor(n); ok && top.InContext() {
				return top, true
			}
		}
	}
	return nil, false
}

// readRollout reads the items of the rollout.
func (c *comparer) readRollout(ctx context.Context, f *transcript.File) error {
	for e, err := range f.Entries(ctx) {
		var line *transcript.LineError
		if errors.As(err, &line) {
			c.BadLines++
			continue
		}
		if err != nil {
			return err
		}
		i := item{Row: Row{Line: e.Line, At: e.At, Role: e.Message.Field("role").Text()}}
		for _, text := range contentTexts(e.Message.Field("content")) {
			if key := keyOf(text); key != "" {
				i.keys = append(i.keys, key)
				if i.Preview == "" {
					i.Preview = preview(text)
				}
			}
		}
		for _, key := range i.keys {
			c.textCount[key]++
		}
		c.items = append(c.items, i)
	}
	return nil
}

// contentTexts are the texts of a message's content: the text, or those of its blocks.
func contentTexts(content jstext.Value) (out []string) {
	if content.IsString() {
		return []string{content.Text()}
	}
	for b := range content.Elements() {
		if b.IsString() {
			out = append(out, b.Text())
			continue
		}
		for _, name := range []string{"text", "thinking", "summary", "arguments", "input", "output", "content"} {
			switch v := b.Field(name); {
			case v.IsString():
				out = append(out, v.Text())
			case v.IsArray():
				out = append(out, contentTexts(v)...)
			case v.IsObject():
				out = append(out, string(v))
			}
		}
	}
	return out
}

// align finds the message of each item: the next one that says the same, else any.
func (c *comparer) align() {
	next := 0
	for _, i := range c.items {
		n, ambiguous := c.match(i, next)
		switch {
		case len(i.keys) == 0:
			i.Place = Redacted
			c.Redacted = append(c.Redacted, i.Row)
		case n < 0:
			i.Place = Missing
			c.Missing = append(c.Missing, i.Row)
		default:
			at := c.places[n]
			i.Place, i.Message, i.Seq, i.Ordinal, i.Summary, i.Ambiguous = at.Place, at.Message, at.Seq, at.Ordinal, at.Summary, ambiguous
			c.Aligned++
			c.addExtra(next, n)
			c.taken[n] = true
			next = max(next, n)
			if ambiguous {
				c.Ambiguous = append(c.Ambiguous, i.Row)
			}
		}
		c.Rows = append(c.Rows, i.Row)
	}
	c.addExtra(next, len(c.places))
	for n, at := range c.places {
		if !c.taken[n] {
			at.Preview = preview(at.Preview)
			c.Extra = append(c.Extra, at)
		}
	}
}

// match is the message that an item belongs to, or -1: the next that says the same and
// whose text no item had yet, else an earlier one, else the last of all.
func (c *comparer) match(i item, next int) (n int, ambiguous bool) {
	for _, key := range i.keys {
		all := c.pieces[key]
		if len(all) == 0 {
			continue
		}
		free := func(at int) bool { return !c.used[piece{key, at}] }
		best := all[len(all)-1]
		if k := slices.IndexFunc(all, func(at int) bool { return at >= next && free(at) }); k >= 0 {
			best = all[k]
		} else if k := slices.IndexFunc(all, free); k >= 0 {
			best = all[k]
		}
		c.used[piece{key, best}] = true
		return best, len(all) != c.textCount[key]
	}
	return -1, false
}

// piece is a text of a message.
type piece struct {
	key     string
	message int
}

// addExtra puts the context items between two messages that the rollout lacks into the rows.
func (c *comparer) addExtra(from, to int) {
	for n := from; n < to; n++ {
		if c.taken[n] || c.places[n].Place != InContext || c.isInRollout(n) {
			continue
		}
		row := c.places[n]
		row.Place = Extra
		c.Rows = append(c.Rows, row)
	}
}

// isInRollout reports whether an item of the rollout has the text of a message.
func (c *comparer) isInRollout(n int) bool {
	return c.textCount[c.firstKeys[n]] > 0
}
