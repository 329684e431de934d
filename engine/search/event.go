package search

import (
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Event is what a search reports while it runs: Found, Counted, Progress, Ranked, Noted or
// Suggested.
type Event interface{ isEvent() }

// Found brings more hits. In one search the hits of one kind come in the order that was asked
// for, as far as rows lie in the order of their times; Results puts all kinds together.
type Found struct{ Hits []Hit }

// Counted says how many hits there are.
type Counted struct {
	Total int
	// More says that there are more, or that the search still looks for them.
	More bool
}

// Progress says how far a search came that has to read texts one by one.
type Progress struct {
	Kind Kind      // What is being read.
	Back time.Time // Everything after this instant was searched, or before it in a search from the oldest.
	Done float64   // The part of all texts that was searched, from 0 to 1.
	// Reached is the time behind which, in the order of hits, all stand that aren't found yet, of any kind. It is zero where that
	// isn't known: before each kind is read as far.
	Reached time.Time
}

// Ranked brings the best hits, the best one first, some of which weren't found before. It
// comes once, after the search for newest hits.
type Ranked struct{ Hits []Hit }

// Noted says something that the user has to know about the result, in one sentence.
type Noted struct{ Text string }

// Suggested offers another query, because this one found nothing.
type Suggested struct {
	Suggestion
}

// Suggestion is another query that finds something.
type Suggestion struct {
	Reason string // What is different, for the user.
	Query  string // What to search for instead.
	Count  int    // How many hits it has.
	More   bool   // It has more than Count.
}

func (Found) isEvent()     {}
func (Counted) isEvent()   {}
func (Progress) isEvent()  {}
func (Ranked) isEvent()    {}
func (Noted) isEvent()     {}
func (Suggested) isEvent() {}

// Kind is what a hit is.
type Kind string

// The kinds of hit.
const (
	MessageKind Kind = "message"
	SummaryKind Kind = "summary"
	PartKind    Kind = "part"
	FileKind    Kind = "file"
	FocusKind   Kind = "focus"
)

// Hit is a text that a query found, and where it is.
type Hit struct {
	Kind         Kind
	Conversation int64
	Message      int64     // Of a message or part: the message's id.
	Seq          int64     // Of a message or part: the message's place in its conversation.
	Part         PartPlace // Of a part.
	Summary      string    // Of a summary: its id.
	Depth        int64     // Of a summary: 0 for a leaf.
	File         string    // Of a large file: its id.
	FileName     string    // Of a large file: its name, or empty.
	Focus        string    // Of a focus brief: its id.
	Role         string    // Of a message or part.
	At           data.Time // When it was written; of a summary, the time of the newest message below it.
	Snippet      string    // One line around the first match, without control characters.
	Spans        []Span    // Where the matches are in Snippet.
	Matches      int       // How many matches the text has, as far as it was read.
	InContext    bool      // The model sees it, or the message that it belongs to.
	// Copies is how many equal texts next to each other this row stands for; 1 for one alone.
	Copies int

	bytes  int64  // The length of the whole text.
	digest uint64 // Equal texts have equal digests.
	rank   float64
}

// PartPlace tells which part of a message a hit is in.
type PartPlace struct {
	ID      string
	Ordinal int64
	Type    string // text, reasoning, tool, file, …
	Field   string // The column that holds the match, such as tool_output.
	Tool    string // The tool's name, or empty.
}

// Readable returns the text of the part's field as people read it: of a call the arguments that say most.
func (at PartPlace) Readable(text string) string {
	switch at.Field {
	case "tool_input":
		return lcm.Argument(text)
	case "tool_output":
		return lcm.Answer(text)
	}
	return text
}

// Span is a range of bytes of a text, from From to before To.
type Span struct{ From, To int }

// ID returns the id of what was found, by which it can be found again: msg:4711, sum_…, file_… or
// the id of a part or a focus brief.
func (h Hit) ID() string {
	switch h.Kind {
	case MessageKind:
		return messageID(h.Message)
	case SummaryKind:
		return h.Summary
	case FileKind:
		return h.File
	case FocusKind:
		return h.Focus
	}
	return h.Part.ID
}

// Is reports whether two hits are of the same text.
func (h Hit) Is(o Hit) bool {
	return h.Kind == o.Kind && h.ID() == o.ID() && h.Part.Field == o.Part.Field
}
