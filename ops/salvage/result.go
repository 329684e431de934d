package salvage

// Result says what was read, what couldn't be read, and whether the new file is sound.
type Result struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Bytes int64  `json:"bytes"` // Of the new file.
	// Schema says which schema the tables were created with.
	Schema   string        `json:"schema"`
	Pages    int64         `json:"pages"`     // Of the damaged file.
	WALPages int           `json:"wal_pages"` // How many of them came from its -wal.
	Tables   []TableResult `json:"tables"`
	// Integrity is what SQLite's own check says of the new file: one "ok".
	Integrity []string `json:"integrity"`
	// Dangling counts, by table, the references of the new file to rows that
	// aren't there.
	Dangling map[string]int64 `json:"dangling"`
	Notes    []string         `json:"notes"`
}

// TableResult is the part of a Result about one table.
type TableResult struct {
	Name         string      `json:"table"`
	Rows         int64       `json:"rows"`             // In the new file.
	Unreferenced int64       `json:"strays,omitempty"` // How many of them were found on pages that no other page refers to.
	Lost         []LostRange `json:"lost"`
	// Refused are rows that were read and break a rule of the table, such as a
	// second row of the same key.
	Refused int64 `json:"refused,omitempty"`
}

// LostRange is a stretch of rowids of which no row could be read. There may have
// been fewer rows: rowids have gaps.
type LostRange struct {
	First int64 `json:"first"`
	Last  int64 `json:"last,omitempty"` // 0 where the end of the table isn't known.
	Page  int64 `json:"page,omitempty"` // The damaged page, if it is one.
}

// Lost reports whether any row is known to be missing from the new file.
func (s Result) Lost() bool {
	for _, t := range s.Tables {
		if len(t.Lost) > 0 || t.Refused > 0 {
			return true
		}
	}
	return false
}
