package integrity

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
	"lcm-tui/internal/lazyregexp"
)

// fileScan is what a check asks for, and what it read of the file that all conversations share.
type fileScan struct {
	Request
	db  *data.DB
	now time.Time

	conversations  []lcm.RawConversation
	incomingLinks  map[int64][]lcm.RawLink        // Links from other conversations or with an end that doesn't exist, by the conversation of their source.
	summaryIndexes map[string]map[string]indexRow // Rows of the search tables, by table and summary.
	fileIDs        map[string]bool
	filesOf        map[int64][]string // Files by conversation.
	hostState      scan.HostState
	anchors        anchorState
	// dissolved are the summaries that lcm-tui dissolved, with the record of it.
	dissolved map[string]int64
	// emptied is when lcm-tui last emptied the context of a conversation as /new does, which not every host notes, and
	// ended are the conversations whose sessions it ended.
	emptied map[int64]time.Time
	ended   map[int64]bool
	// takenOut are messages that lcm-tui took out of a context, where they are in no summary: a session went back before them.
	takenOut map[int64]bool
	// halfMade are the messages of changes that aren't finished; a finding names those already.
	halfMade map[int64]bool
	// budgets are the token budgets that hosts noted, by conversation.
	budgets map[int64]int64
}

// has reports whether the file has all these tables.
func (f *fileScan) has(tables ...string) bool {
	return !slices.ContainsFunc(tables, func(t string) bool { return !f.db.Schema().Has(t) })
}

// wants reports whether the request asks for one of the faults.
func (f *fileScan) wants(ids ...FaultID) bool {
	return f.Faults == nil || slices.ContainsFunc(ids, func(id FaultID) bool { return slices.Contains(f.Faults, id) })
}

// concerns reports whether the request is about one of these conversations, or about the
// file.
func (f *fileScan) concerns(ids ...int64) bool {
	return f.Conversation == 0 || slices.Contains(ids, f.Conversation)
}

// needs reports whether a fault is asked for that a check of a smaller scope can't detect.
func (f *fileScan) needs(s Scope) bool {
	return f.Faults == nil || slices.ContainsFunc(f.Faults, func(id FaultID) bool { return f.scopeOf(id) >= s })
}

// scopeOf returns the scope of a fault in this check. SQLite follows the references of the whole
// file; those of one conversation are followed with its context and links.
func (f *fileScan) scopeOf(id FaultID) Scope {
	if id == ReferenceDangling && f.Conversation != 0 {
		return StructureScope
	}
	return byID[id].Scope
}

// readShared reads what the checks of all conversations need.
func (f *fileScan) readShared(ctx context.Context) (err error) {
	if f.conversations, err = lcm.RawConversations(ctx, f.db); err != nil {
		return err
	}
	if f.budgets, err = lcm.Budgets(ctx, f.db); err != nil {
		return err
	}
	if err := f.readOwnRecords(ctx); err != nil {
		return err
	}
	if f.halfMade, err = change.UnfinishedMessages(ctx, f.db); err != nil {
		return err
	}
	owners, err := lcm.FileIDs(ctx, f.db)
	f.fileIDs, f.filesOf = map[string]bool{}, map[int64][]string{}
	for id, conv := range owners {
		f.fileIDs[id] = true
		f.filesOf[conv] = append(f.filesOf[conv], id)
	}
	return err
}

// The titles of the records of session new and session end. Each names the conversation last, whatever its own name is.
var (
	emptiedTitle = lazyregexp.New(`empty the context of .*#([0-9]+), where [a-z0-9 ]+$`)
	endedTitle   = lazyregexp.New(`end the session of .*#([0-9]+)$`)
)

// readOwnRecords reads from the records which summaries were dissolved and still exist, which messages were taken out of contexts, and
// which sessions lcm-tui began or ended.
func (f *fileScan) readOwnRecords(ctx context.Context) error {
	f.dissolved, f.emptied, f.ended, f.takenOut = map[string]int64{}, map[int64]time.Time{}, map[int64]bool{}, map[int64]bool{}
	records, err := change.History(ctx, f.db)
	for _, r := range records {
		if r.Undone() {
			continue
		}
		for _, id := range r.Leaves() {
			f.takenOut[id] = true
		}
		if words := strings.Fields(r.Title); r.Op == "dissolve" && len(words) > 1 && words[0] == "dissolve" {
			f.dissolved[words[1]] = r.ID
		}
		if r.Op != "session new" && r.Op != "session end" && r.Op != "redo" {
			continue
		}
		if conv := conversationIn(emptiedTitle, r.Title); conv != 0 && r.AppliedAt.After(f.emptied[conv]) {
			f.emptied[conv] = r.AppliedAt.Time
		}
		f.ended[conversationIn(endedTitle, r.Title)] = true
	}
	return err
}

// conversationIn returns the conversation that a title names, or 0.
func conversationIn(title *lazyregexp.Regexp, text string) int64 {
	parts := title.FindStringSubmatch(text)
	if parts == nil {
		return 0
	}
	id, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// readIncomingLinks reads the links from other conversations, and those with an end that
// doesn't exist.
func (f *fileScan) readIncomingLinks(ctx context.Context) error {
	links, err := lcm.DanglingLinks(ctx, f.db, f.Conversation)
	f.incomingLinks = map[int64][]lcm.RawLink{}
	for _, l := range links {
		f.incomingLinks[l.SourceOwner] = append(f.incomingLinks[l.SourceOwner], l)
	}
	return err
}

// isArchived reports whether a conversation exists and isn't active.
func (f *fileScan) isArchived(conv int64) (row lcm.RawConversation, archived bool) {
	i := slices.IndexFunc(f.conversations, func(v lcm.RawConversation) bool { return v.ID == conv })
	if i < 0 {
		return row, false
	}
	row = f.conversations[i]
	return row, row.Active.Valid && row.Active.Value == 0
}

// hasFileRow reports whether a file has a row. Without the table it is true:
// TablesIncomplete names the table, and not every row that it lacks.
func (f *fileScan) hasFileRow(id string) bool {
	return f.fileIDs[id] || !f.db.Schema().Has("large_files")
}

// comparedTables are the tables that have to be read completely to detect the faults of an
// area: nobody knows whether a host ever wrote a row that is missing.
var comparedTables = map[Area][]string{
	ContextArea:      {"context_items", "messages", "summaries", "summary_messages", "summary_parents"},
	LinkArea:         {"context_items", "messages", "summaries", "summary_messages", "summary_parents"},
	MessageArea:      {"messages", "message_parts"},
	SummaryArea:      {"summaries", "summary_messages", "summary_parents", "messages"},
	FileArea:         {"large_files", "messages", "message_parts"},
	ConversationArea: {"conversations", "messages"},
	SearchArea:       {"messages", "summaries"},
	HostStateArea:    {"conversations", "messages"},
	PendingArea:      {"conversations", "messages", "summaries", "context_items"},
	AnchorArea:       {"conversations", "messages", "context_items"},
}

// isCertain reports whether a fault can be detected from the tables that could be read
// completely.
func (f *fileScan) isCertain(fault FaultID) bool {
	incomplete := f.incompleteTables()
	if fault == ReferenceDangling || fault == IDCounterBehind { // They concern every table.
		return len(incomplete) == 0
	}
	return !slices.ContainsFunc(comparedTables[fault.Area()], func(table string) bool {
		return slices.Contains(incomplete, table)
	})
}

// incompleteTables returns the core tables that couldn't be read completely.
func (f *fileScan) incompleteTables() []string {
	if f.db.Kind().Relative {
		return nil
	}
	return f.db.IncompleteTables()
}

// readHostState reads what hosts note beside the memory.
func (f *fileScan) readHostState(ctx context.Context) (err error) {
	f.hostState, err = scan.ReadHostState(ctx, f.db, f.Conversation)
	return err
}
