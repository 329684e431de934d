package proof

import (
	"slices"
)

// Check says what was looked at, and where something was found.
type Check struct {
	At string `json:"at"`
	// Texts are how many texts were read, by table.
	Texts map[string]int64 `json:"texts"`
	// Pages are those of the file that were read.
	Pages int64 `json:"pages"`
	// Files are those beside the database that were read.
	Files []File `json:"files"`
	// Stubs are the messages of the receipt in whose place a stub stands, Gone those without a row, and Back those
	// that have a text again.
	Stubs int     `json:"stubs"`
	Gone  int     `json:"rows_gone"`
	Back  []int64 `json:"texts_back"`
	// Asked says that the query was asked again.
	Asked bool `json:"query_asked"`
	// KeptThere are how many of the messages that were left as they are have a text still.
	KeptThere int `json:"kept_there"`
	// Left are the places in which something was found, More how many more there are.
	Left []Place `json:"left"`
	More int     `json:"more,omitempty"`
	// Unchecked is what wasn't looked at.
	Unchecked []string `json:"unchecked"`
	State     State    `json:"state"`
}

// File is a file that was looked through.
type File struct {
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"`
	Problem string `json:"problem,omitempty"` // Why it couldn't be read.
}

// State says in a word what was found.
type State string

// The states.
const (
	// Gone says that nothing was found in what was looked at.
	Gone State = "gone"
	// InTrash says that only the trash has the texts.
	InTrash State = "in the trash"
	// Left says that something was found elsewhere too.
	Left State = "left"
)

// Kind is what a place is.
type Kind string

// The kinds of place.
const (
	MessagePlace Kind = "message"
	SummaryPlace Kind = "summary"
	FocusPlace   Kind = "focus brief"
	MemoryPlace  Kind = "memory"
	LargeFile    Kind = "large file"
	RecordPlace  Kind = "record"
	RowPlace     Kind = "row"
	PagePlace    Kind = "pages"
	WALPlace     Kind = "wal"
	TrashPlace   Kind = "trash"
	BackupPlace  Kind = "backup"
	SessionPlace Kind = "session file"
	CachePlace   Kind = "cached answer"
	SearchPlace  Kind = "searched words"
	FilePlace    Kind = "file"
)

// Place is where something of the texts, or of what the query asks for, was found.
type Place struct {
	Kind         Kind   `json:"kind"`
	Where        string `json:"where"` // The id of what it is, or the path of a file.
	Conversation int64  `json:"conversation_id,omitempty"`
	// Columns are those of tables that have it.
	Columns []string `json:"columns,omitempty"`
	// Pieces are how many different pieces of the forgotten texts it has, and Words says that the query finds it.
	Pieces int    `json:"pieces"`
	Words  bool   `json:"query_finds_it,omitempty"`
	Why    string `json:"why"`
	Next   string `json:"next,omitempty"`

	depth int64 // Of a summary.
}

// mostPlaces is how many places of a kind a check lists.
const mostPlaces = 300

// finish sorts what was found and says in a word what that is.
func (c *Check) finish() {
	for i := range c.Left {
		c.Left[i].explain()
	}
	order := []Kind{SummaryPlace, FocusPlace, MemoryPlace, LargeFile, MessagePlace, RowPlace, RecordPlace, PagePlace, WALPlace, TrashPlace}
	rank := func(p Place) int {
		if i := slices.Index(order, p.Kind); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(c.Left, func(a, b Place) int { return rank(a) - rank(b) })
	c.State = Gone
	for _, p := range c.Left {
		if p.Kind != TrashPlace {
			c.State = Left
		} else if c.State == Gone {
			c.State = InTrash
		}
	}
	if len(c.Back) > 0 || c.KeptThere > 0 {
		c.State = Left
	}
	counts, shown := map[Kind]int{}, []Place{}
	for _, p := range c.Left {
		if counts[p.Kind]++; counts[p.Kind] > mostPlaces {
			c.More++
			continue
		}
		shown = append(shown, p)
	}
	c.Left = shown
}

// WithPieces returns how many places but the trash have pieces of the texts, and those that only the query finds.
func (c *Check) WithPieces() (pieces, words int) {
	for _, p := range c.Left {
		switch {
		case p.Kind == TrashPlace:
		case p.Pieces > 0 || !p.Words:
			pieces++
		default:
			words++
		}
	}
	return pieces, words + c.KeptThere
}

// leaveOut takes messages out of what was found that were left as they are: the receipt has them with their reasons.
func (c *Check) leaveOut(kept []Kept) {
	known := map[string]bool{}
	for _, k := range kept {
		for _, id := range k.Messages {
			known[messageID(id)] = true
		}
	}
	c.Left = slices.DeleteFunc(c.Left, func(p Place) bool { return p.Kind == MessagePlace && known[p.Where] })
}

// Count returns how many places of a kind were found.
func (c *Check) Count(k Kind) (n int) {
	for _, p := range c.Left {
		if p.Kind == k {
			n++
		}
	}
	return n
}
