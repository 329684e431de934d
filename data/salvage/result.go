package salvage

import "lcm-tui/data"

// Result is the account of a salvage: what was read, what couldn't be, and what
// the new file is like.
type Result struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Bytes int64  `json:"bytes"` // Of the new file.
	// Schema says where the tables' statements came from.
	Schema   string        `json:"schema"`
	Pages    int64         `json:"pages"`     // Of the damaged file.
	WALPages int           `json:"wal_pages"` // Of them taken from its -wal.
	Tables   []TableResult `json:"tables"`
	// Integrity is what SQLite's own check says of the new file: one "ok".
	Integrity []string `json:"integrity"`
	// Dangling counts, by table, the references of the new file to rows that
	// aren't there.
	Dangling map[string]int64 `json:"dangling"`
	Notes    []string         `json:"notes"`
}

// TableResult is the account of one table.
type TableResult struct {
	Name   string      `json:"table"`
	Rows   int64       `json:"rows"`             // In the new file.
	Strays int64       `json:"strays,omitempty"` // Of them found on pages that nothing points at any more.
	Lost   []LostRange `json:"lost"`
	// Refused are rows that were read and break a rule of the table, such as a
	// second row of the same key.
	Refused int64 `json:"refused,omitempty"`
}

// LostRange is a stretch of rowids of which no row could be read. There may have
// been fewer rows: rowids have gaps.
type LostRange struct {
	First int64 `json:"first"`
	Last  int64 `json:"last,omitempty"` // 0 where nothing tells how far the table went.
	Page  int64 `json:"page,omitempty"` // The damaged page, if it is one.
}

// Lost reports whether anything is known to be lost.
func (s Result) Lost() bool {
	for _, t := range s.Tables {
		if len(t.Lost) > 0 || t.Refused > 0 {
			return true
		}
	}
	return false
}

// NothingError says that not one row can be read.
type NothingError struct{ Path string }

func (e *NothingError) Error() string { return "salvage " + e.Path + ": " + data.ErrDamaged.Error() }

// Unwrap makes errors.Is(err, data.ErrDamaged) true.
func (*NothingError) Unwrap() error { return data.ErrDamaged }

// Hint says what is left to do.
func (*NothingError) Hint() string { return "not one row can be read from it; restore a backup" }
