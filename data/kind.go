package data

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Kind is the program that wrote a file, recognised by tables and columns: the format has no
// version number.
type Kind struct {
	// Name is the program, such as "lossless-claw".
	Name string
	// Level is the first version of it whose tables and columns the file has all
	// of, such as "0.15.2"; empty where that isn't known.
	Level string
	// Relative says that the format is only a relative of lcm.db: it is read as
	// far as its columns allow, and never written.
	Relative bool
	// Generation is the generation of the format, or empty where the format is only a relative.
	Generation string
	// Upgraded says that an older generation of hosts wrote the file first.
	Upgraded bool
	// Note says what is unusual, in one short sentence, or is empty.
	Note string
}

func (k Kind) String() string { return strings.TrimSpace(k.Name + " " + k.Level) }

// IsNewer reports whether the kind is of a newer version of the format than another one of the same
// program.
func (k Kind) IsNewer(than Kind) bool {
	place := func(k Kind) int {
		if k.Generation == GenerationOne {
			return len(levels)
		}
		return slices.IndexFunc(levels, func(l level) bool { return l.version == k.Level })
	}
	return place(k) > place(than)
}

// Before returns the first version that would have changed the tables or columns of the file, had it opened it: the host
// that used the file last is older. It is empty where that isn't known, and for files of the newest version.
func (k Kind) Before() string {
	at := slices.IndexFunc(levels, func(l level) bool { return l.version == k.Level })
	if k.Relative || at < 0 || at+1 == len(levels) {
		return ""
	}
	return levels[at+1].version
}

// level is a version of the format and what is new in it.
type level struct {
	version string
	table   string
	columns []string
}

// levels are the versions that changed tables or columns, oldest first.
var levels = []level{
	{"0.1.0", "summaries", []string{"summary_id", "depth"}},
	{"0.3.0", "summaries", []string{"descendant_token_count", "source_message_token_count"}},
	{"0.4.0", "conversations", []string{"session_key"}},
	{"0.5.0", "summaries", []string{"model"}},
	{"0.6.0", "conversations", []string{"active", "archived_at"}},
	{"0.7.0", "conversation_compaction_telemetry", nil},
	{"0.8.1", "lcm_migration_state", nil},
	{"0.9.0", "messages", []string{"identity_hash"}},
	{"0.9.2", "conversation_compaction_telemetry", []string{"last_observed_prompt_token_count"}},
	{"0.10.0", "messages", []string{"large_content"}},
	{"0.11.0", "focus_briefs", nil},
	{"0.12.0", "conversation_compaction_maintenance", []string{"retry_attempts"}},
	{"0.13.0", "messages", []string{"transcript_entry_id"}},
	{"0.14.0", "conversations", []string{"archive_cause"}},
	{"0.15.2", "messages", []string{"stable_event_key", "openclaw_sender_metadata"}},
	{"0.15.3", "conversation_compaction_maintenance", []string{"maintenance_revision"}},
}

// relatives are formats that share LCM's table names but not all its rules, and
// the table that gives each away.
var relatives = []struct{ table, name string }{
	{"promoted", "lossless-claude"},
	{"promoted_fts", "lossless-claude"},
	{"redaction_stats", "lossless-claude"},
	{"summary_nodes", "hermes-lcm"},
	{"lifecycle_state", "hermes-lcm"},
}

// ownColumn is a column that this program gives to its table of promoted memory, and lossless-claude doesn't.
const ownColumn = "superseded_by"

// detectKind finds out what wrote the file, and refuses one that isn't related.
func (db *DB) detectKind() error {
	s := db.schema
	if !s.Has("conversations") && !s.Has("messages") && !s.Has("summaries") {
		return &Error{Path: db.path, Verb: "open", Kind: ErrNotLCM}
	}
	db.kind = Kind{Name: "lossless-claw", Level: s.level()}
	for _, r := range relatives {
		if s.Has(r.table) && !s.Has(r.table, ownColumn) {
			db.kind = Kind{Name: r.name, Relative: true, Note: "a relative of lcm.db, shown as far as its columns allow, never written"}
		}
	}
	path := db.path
	if db.replica != nil {
		path = db.replica.File
	}
	if !db.kind.Relative && strings.EqualFold(filepath.Base(path), "db.sqlite") {
		db.kind = Kind{Name: "lossless-claude", Relative: true, Note: "a project file of lossless-claude, never written"}
	}
	if !db.kind.Relative {
		db.noteGeneration()
	}
	if lacks := s.lacking; lacks != "" && !db.kind.Relative {
		db.Warn(&Error{
			Path: db.path, Verb: "read", Kind: ErrIncomplete, Err: ErrDamaged,
			hint: "missing: " + lacks + ". What is there is shown, what is missing reads as empty, and nothing can be changed: restore a backup",
		})
	}
	return nil
}

// noteGeneration notes in the kind of which generation the file is, and what it lacks of that.
func (db *DB) noteGeneration() {
	s := db.schema
	generation, tables, columns := s.generation()
	db.kind.Generation = generation
	if generation == GenerationOne {
		db.kind.Level, db.kind.Upgraded = generation, s.isUpgraded()
	}
	tables = append(s.Missing(), tables...)
	if lacks := joined("; ", listOf("no table", "no tables", tables), listOf("no column", "no columns", columns)); lacks != "" {
		db.kind.Note = "incomplete: " + lacks
	}
}

// joined returns the parts that aren't empty with a text between them.
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), between)
}

// level returns the newest version whose additions are in the file. Versions in
// between may be missing where an optional table was dropped.
func (s *Schema) level() (v string) {
	for _, l := range levels {
		if s.Has(l.table, l.columns...) {
			v = l.version
		}
	}
	return v
}

// Writable says why the file can't be changed, or nil. It looks at the disk.
func (db *DB) Writable() error {
	if err := db.WriteRefusal(); err != nil {
		return err
	}
	if db.IsHome() { // The server says what its user may do.
		return nil
	}
	if err := db.CheckPath(); err != nil {
		return err
	}
	return db.checkPermissions()
}

// WriteRefusal says why the file is never changed, whatever its permissions are, or returns
// nil. It doesn't look at the disk.
func (db *DB) WriteRefusal() error {
	refuse := func(why string) error {
		return &Error{Path: db.path, Verb: "write", Kind: ErrReadOnly, hint: why}
	}
	switch {
	case db.replica != nil && !db.IsHome():
		return db.needsFile("write")
	case db.kind.Relative:
		return refuse(db.kind.Name + " files are shown only: their rules are not the ones that this program keeps")
	case db.isOthers:
		return refuse("it is a copy of another machine's database: write the plan into a file with --plan-out, and send that with lcm-tui fleet apply")
	case db.copied:
		return &Error{Path: db.path, Verb: "write", Kind: ErrUnfinished}
	case db.immutable:
		return refuse("make the folder writable, or work on a copy: lcm-tui backup --to FILE")
	case db.schema.lacking != "":
		return refuse("the file lacks " + db.schema.lacking + ": restore a backup")
	case db.schema.unstoppable() != "":
		return &Error{Path: db.path, Verb: "write", Kind: ErrReadOnly, hint: unstoppableHint(db.schema)}
	case len(db.schema.Triggers) > 0:
		return db.schema.checkTriggers(db.path)
	case db.isDamaged():
		return &Error{Path: db.path, Verb: "write", Kind: ErrDamaged}
	}
	return nil
}

// unstoppableHint says why a file isn't changed whose pending batches can't be made stale.
func unstoppableHint(s *Schema) string {
	return "the file lacks " + s.unstoppable() + ", by which a host could be kept from publishing what it prepared from rows that change: start the agent's host once, which completes its tables, or restore a backup"
}

// listOf returns names after the word for one or for several of them, or nothing.
func listOf(one, many string, names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return one + " " + names[0]
	}
	return many + " " + strings.Join(names, ", ")
}

// unstoppable names the columns without which a pending batch can't be made stale, or is empty.
// Such a file must not be changed: its host may publish what it prepared before, by ordinals
// that mean other rows by then.
func (s *Schema) unstoppable() string {
	if !s.Has(PendingBatchTable) {
		return "" // Without its batch a node is never published.
	}
	var lacks []string
	for _, need := range []struct{ table, columns string }{{PendingBatchTable, "batch_id conversation_id status"}, {PendingNodeTable, "node_id batch_id status"}} {
		for _, c := range strings.Fields(need.columns) {
			if s.Has(need.table) && !s.Has(need.table, c) {
				lacks = append(lacks, need.table+"."+c)
			}
		}
	}
	return listOf("the column", "the columns", lacks)
}

// OtherMachine is a machine of which this program keeps copies of a database.
type OtherMachine struct {
	Name string
	// AskedAt is when the machine was asked last with success: since then the newest copy is what it had.
	AskedAt time.Time
}

// OtherMachineFile is the name of the file that lies beside copies of another machine's database: it holds the machine's name, and
// its time is when the machine was asked last. Copies are never written to, because the next one takes their place.
const OtherMachineFile = "lcm-tui-copy-of"

// maxMachineName is the size in bytes of the longest name of a machine.
const maxMachineName = 64

// IsOtherMachines reports whether the file is a copy of another machine's database, which nothing writes to.
func (f *openedFile) IsOtherMachines() bool { return f.isOthers }

// CopyOf returns the machine of which the database at a path is a copy; ok is false where it is none.
func CopyOf(path string) (m OtherMachine, ok bool) {
	mark := filepath.Join(filepath.Dir(path), OtherMachineFile)
	info, err := os.Lstat(mark)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMachineName {
		return m, false
	}
	name, err := os.ReadFile(mark)
	m = OtherMachine{strings.TrimSpace(string(name)), info.ModTime()}
	return m, err == nil && m.Name != "" && !strings.ContainsFunc(m.Name, func(r rune) bool { return !unicode.IsPrint(r) })
}
