package integrity

import (
	"context"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity/scan"
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
	// halfMade are the messages of changes that aren't finished; a finding names those already.
	halfMade map[int64]bool
	// budgets are the token budgets that hosts noted, by conversation.
	budgets map[int64]int64
}

// has reports whether the file has all these tables.
func (file *fileScan) has(tables ...string) bool {
	return !slices.ContainsFunc(tables, func(t string) bool { return !file.db.Schema().Has(t) })
}

// wants reports whether the request asks for one of the faults.
func (file *fileScan) wants(ids ...FaultID) bool {
	return file.Faults == nil || slices.ContainsFunc(ids, func(id FaultID) bool { return slices.Contains(file.Faults, id) })
}

// concerns reports whether the request is about one of these conversations, or about the
// file.
func (file *fileScan) concerns(ids ...int64) bool {
	return file.Conversation == 0 || slices.Contains(ids, file.Conversation)
}

// needs reports whether a fault is asked for that a check of a smaller scope can't detect.
func (file *fileScan) needs(s Scope) bool {
	return file.Faults == nil || slices.ContainsFunc(file.Faults, func(id FaultID) bool { return file.scopeOf(id) >= s })
}

// scopeOf is the scope of a fault in this check. SQLite follows the references of the whole
// file; those of one conversation are followed with its context and links.
func (file *fileScan) scopeOf(id FaultID) Scope {
	if id == ReferenceDangling && file.Conversation != 0 {
		return StructureScope
	}
	return byID[id].Scope
}

// readShared reads what the checks of all conversations need.
func (file *fileScan) readShared(ctx context.Context) (err error) {
	if file.conversations, err = lcm.RawConversations(ctx, file.db); err != nil {
		return err
	}
	if file.budgets, err = lcm.Budgets(ctx, file.db); err != nil {
		return err
	}
	if err := file.readDissolved(ctx); err != nil {
		return err
	}
	if file.halfMade, err = change.UnfinishedMessages(ctx, file.db); err != nil {
		return err
	}
	owners, err := lcm.FileIDs(ctx, file.db)
	file.fileIDs, file.filesOf = map[string]bool{}, map[int64][]string{}
	for id, conv := range owners {
		file.fileIDs[id] = true
		file.filesOf[conv] = append(file.filesOf[conv], id)
	}
	return err
}

// readDissolved reads from the records which summaries were dissolved and still exist.
func (file *fileScan) readDissolved(ctx context.Context) error {
	file.dissolved = map[string]int64{}
	records, err := change.History(ctx, file.db)
	for _, r := range records {
		if words := strings.Fields(r.Title); r.Op == "dissolve" && !r.Undone() && len(words) > 1 && words[0] == "dissolve" {
			file.dissolved[words[1]] = r.ID
		}
	}
	return err
}

// readIncomingLinks reads the links from other conversations, and those with an end that
// doesn't exist.
func (file *fileScan) readIncomingLinks(ctx context.Context) error {
	links, err := lcm.DanglingLinks(ctx, file.db, file.Conversation)
	file.incomingLinks = map[int64][]lcm.RawLink{}
	for _, l := range links {
		file.incomingLinks[l.SourceOwner] = append(file.incomingLinks[l.SourceOwner], l)
	}
	return err
}

// isArchived reports whether a conversation exists and isn't active.
func (file *fileScan) isArchived(conv int64) (row lcm.RawConversation, archived bool) {
	i := slices.IndexFunc(file.conversations, func(v lcm.RawConversation) bool { return v.ID == conv })
	if i < 0 {
		return row, false
	}
	row = file.conversations[i]
	return row, row.Active.Valid && row.Active.Value == 0
}

// hasFileRow reports whether a file has a row. Without the table it is true:
// TablesIncomplete names the table, and not every row that it lacks.
func (file *fileScan) hasFileRow(id string) bool {
	return file.fileIDs[id] || !file.db.Schema().Has("large_files")
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
func (file *fileScan) isCertain(fault FaultID) bool {
	incomplete := file.incompleteTables()
	if fault == ReferenceDangling || fault == IDCounterBehind { // They concern every table.
		return len(incomplete) == 0
	}
	return !slices.ContainsFunc(comparedTables[fault.Area()], func(table string) bool {
		return slices.Contains(incomplete, table)
	})
}

// incompleteTables are the core tables that couldn't be read completely.
func (file *fileScan) incompleteTables() []string {
	if file.db.Kind().Relative {
		return nil
	}
	return file.db.IncompleteTables()
}

// readHostState reads what hosts note beside the memory.
func (file *fileScan) readHostState(ctx context.Context) (err error) {
	file.hostState, err = scan.ReadHostState(ctx, file.db, file.Conversation)
	return err
}
