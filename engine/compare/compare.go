package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/plural"
)

// Place is where the text of an entry is in the conversation.
type Place string

// The places.
const (
	InContext Place = "context"   // Its message is in the context.
	Covered   Place = "summary"   // A summary in the context covers its message.
	Forgotten Place = "forgotten" // It is stored, and the context doesn't lead to it.
	Missing   Place = "missing"   // It isn't stored.
	Redacted  Place = "redacted"  // The transcript has no text for it, only a cipher.
	Extra     Place = "extra"     // It is stored, and not in the transcript.
	Elsewhere Place = "elsewhere" // Another conversation of the session has it.
	LeftOut   Place = "left-out"  // Hosts don't store such an entry.
)

// Row is an entry of the transcript beside its place, or a message that the transcript lacks.
type Row struct {
	Line    int64     `json:"line,omitempty"` // Of the transcript, from 1.
	Entry   string    `json:"entry_id,omitempty"`
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
	// Masked says that the transcript hides a secret that the message has.
	Masked bool `json:"masked,omitempty"`
	// Why says why the transcript lacks a message, or why an entry isn't in this conversation.
	Why string `json:"why,omitempty"`
}

// Comparison is the result of comparing a transcript with a conversation.
type Comparison struct {
	Conversation int64           `json:"conversation_id"`
	Path         string          `json:"transcript"`
	Kind         transcript.Kind `json:"kind"`
	Session      string          `json:"session_id"`
	Aligned      int             `json:"aligned"` // Entries that are stored.
	Missing      []Row           `json:"missing"`
	Extra        []Row           `json:"extra"` // Stored messages that the transcript lacks.
	Ambiguous    []Row           `json:"ambiguous"`
	// Redacted are the aligned entries in which the host masked a secret, and those without any
	// readable text.
	Redacted []Row `json:"redacted"`
	// Elsewhere counts the entries that another conversation of the session has, and LeftOut those
	// that hosts don't store.
	Elsewhere int `json:"elsewhere"`
	LeftOut   int `json:"left_out"`
	// Rows are the entries of the transcript in order, and between them the context items
	// that it lacks.
	Rows     []Row `json:"rows"`
	BadLines int   `json:"bad_line_count"`
	// Rollout and Thread are the older names of the path and the session.
	Rollout string `json:"rollout"`
	Thread  string `json:"thread_id"`
}

// Counts says in a line how much is aligned, and how much isn't.
func (c *Comparison) Counts() string {
	masked := 0
	for _, r := range c.Redacted {
		if r.Masked {
			masked++
		}
	}
	out := fmt.Sprintf("%s stored, %d missing, %d without text", plural.Count(c.Aligned, "entry", "entries"), len(c.Missing), len(c.Redacted)-masked)
	if masked > 0 {
		out += fmt.Sprintf(", %d with masked secrets", masked)
	}
	if c.Elsewhere > 0 {
		out += fmt.Sprintf(", %d in another conversation", c.Elsewhere)
	}
	if c.LeftOut > 0 {
		out += fmt.Sprintf(", %d that hosts leave out", c.LeftOut)
	}
	return out + fmt.Sprintf("; %s stored that the transcript lacks", plural.Count(len(c.Extra), "message", "messages"))
}

// maxPreview is how many bytes of a text a row has.
const maxPreview = 400

// Compare compares a transcript with a conversation. The path may be the address of a session in
// a transcript database.
func Compare(ctx context.Context, db *data.DB, conv int64, path string) (*Comparison, error) {
	f, err := transcript.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	c := &comparer{
		Comparison: &Comparison{
			Conversation: conv, Path: path, Kind: f.Kind, Session: f.Session.ID, Rollout: path, Thread: f.Session.ID,
			Missing: []Row{}, Extra: []Row{}, Ambiguous: []Row{}, Redacted: []Row{}, Rows: []Row{},
		},
		file: f, db: db, marker: NewMarker(),
		pieces: map[string][]int{}, taken: map[int]bool{}, used: map[piece]bool{}, textCount: map[string]int{},
	}
	if err := c.readMessages(ctx, db); err != nil {
		return nil, err
	}
	if err := c.findPlaces(ctx, db); err != nil {
		return nil, err
	}
	if f.Kind == transcript.OpenClaw {
		return c.Comparison, c.compareEntries(ctx)
	}
	if err := c.readItems(ctx, f); err != nil {
		return nil, err
	}
	c.alignPieces()
	return c.Comparison, nil
}

// comparer makes a comparison.
type comparer struct {
	*Comparison
	file      *transcript.File
	db        *data.DB
	marker    *Marker
	messages  []lcm.Message
	marks     []Mark           // Of the messages.
	firstKeys []string         // The first key of each.
	places    []Row            // Of each message, by its index.
	pieces    map[string][]int // The messages with a text, in order.
	taken     map[int]bool     // Messages that were found in the transcript.
	used      map[piece]bool   // Their texts.
	byEntry   map[string]int   // The messages that name an entry.
	items     []item
	textCount map[string]int // How often the transcript has a text.
}

// item is one of the transcript, with the texts that it may be known by.
type item struct {
	Row
	keys []string
}

// readMessages reads the conversation's messages and what they say.
func (c *comparer) readMessages(ctx context.Context, db *data.DB) error {
	const page = 500
	after := int64(math.MinInt64)
	for {
		ms, err := lcm.Messages(ctx, db, c.Conversation, lcm.Page{After: after, Limit: page, Clip: data.WholeText})
		if err != nil {
			return err
		}
		for _, m := range ms {
			n := len(c.messages)
			c.firstKeys = append(c.firstKeys, c.addPieces(n, m))
			c.marks = append(c.marks, c.marker.Stored(m.Entry, m.Role, m.Content))
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

// addPieces adds the texts of the n-th message to the pieces, and returns the first key. Entries of
// OpenClaw are whole messages, and need none.
func (c *comparer) addPieces(n int, m lcm.Message) (first string) {
	if c.file.Kind == transcript.OpenClaw {
		return ""
	}
	seen := map[string]bool{}
	for _, text := range textsOf(m) {
		if key := keyOf(text); key != "" && !seen[key] {
			seen[key] = true
			c.pieces[key] = append(c.pieces[key], n)
			first = cmp.Or(first, key)
		}
	}
	return first
}

// textsOf returns what a message says, whole and in its parts.
func textsOf(m lcm.Message) []string {
	out := []string{m.Content}
	for _, p := range m.Parts {
		out = append(out, p.Text, p.ToolInput, p.ToolOutput)
	}
	return out
}

func firstText(m lcm.Message) string {
	for _, text := range textsOf(m) {
		if strings.TrimSpace(text) != "" {
			return preview(text)
		}
	}
	return ""
}

// preview returns the beginning of a text, without the memory of the rest.
func preview(text string) string {
	if len(text) > maxPreview {
		text = strings.ToValidUTF8(text[:maxPreview], "")
	}
	return strings.Clone(text)
}

// keyOf returns what texts are compared by: their letters and digits, so that neither the
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
	items, err := lcm.Context(ctx, db, c.Conversation)
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
		r := Row{Entry: m.Entry, Role: m.Role, Preview: m.Content, At: m.CreatedAt.Time, Message: m.ID, Seq: m.Seq, Place: Forgotten}
		if ordinal, ok := ordinals[m.ID]; ok {
			r.Place, r.Ordinal = InContext, &ordinal
		} else if top, ok := above(graph, m.SummaryIDs); ok {
			r.Place, r.Summary, r.Ordinal = Covered, top.ID, &top.Ordinal
		}
		c.places = append(c.places, r)
	}
	return nil
}

// above returns the summary in the context that stands for one of some leaves.
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

// readItems reads the items of a transcript whose entries are pieces of messages.
func (c *comparer) readItems(ctx context.Context, f *transcript.File) error {
	for e, err := range f.Entries(ctx) {
		var line *transcript.LineError
		if errors.As(err, &line) {
			c.BadLines++
			continue
		}
		if err != nil {
			return err
		}
		i := item{Row: Row{Line: e.Line, Entry: e.ID, At: e.At, Role: strings.Clone(e.Message.Field("role").Text())}}
		for _, text := range contentTexts(e.Message.Field("content"), math.MaxInt) {
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

// maxShown is how many bytes of a text in JSON are read for a preview.
const maxShown = 16 << 10

// startOf returns the start of a string, from so many bytes of its JSON.
func startOf(v jstext.Value, most int) string {
	if len(v) > most {
		v = v[:most] + `"`
	}
	return v.Text()
}

// contentTexts returns the texts of a message's content: the text, or those of its blocks. Of each so
// many bytes of its JSON are read.
func contentTexts(content jstext.Value, most int) (out []string) {
	if content.IsString() {
		return []string{startOf(content, most)}
	}
	for b := range content.Elements() {
		if b.IsString() {
			out = append(out, startOf(b, most))
			continue
		}
		for _, name := range []string{"text", "thinking", "summary", "arguments", "input", "output", "content"} {
			switch v := b.Field(name); {
			case v.IsString():
				out = append(out, startOf(v, most))
			case v.IsArray():
				out = append(out, contentTexts(v, most)...)
			case v.IsObject():
				out = append(out, string(v[:min(len(v), most)]))
			}
		}
	}
	return out
}
