package slice

import (
	"context"
	"database/sql"
	"errors"

	"lcm-tui/data"
)

// Lineage is what becomes of links between a chosen conversation and one that isn't chosen:
// a summary may be made of messages or summaries of another conversation, and a context may
// have items of another.
type Lineage int

const (
	// LineageRefuse fails with a *LineageError.
	LineageRefuse Lineage = iota
	// LineageTake copies the other conversations too.
	LineageTake
	// LineageCut leaves the links out.
	LineageCut
	// LineageKeep copies the links although their other ends are missing from the new file.
	LineageKeep
)

// Request says what is copied and how.
type Request struct {
	Conversations []int64 // Whole conversations.
	// Messages are copied with their parts and the rows of their conversations, and nothing
	// else of them. It is for removed texts and excludes Conversations.
	Messages []int64
	Lineage  Lineage
	// SchemaOnly copies no conversation at all: only the tables, empty.
	SchemaOnly bool
	// Detach leaves nothing by which a host elsewhere goes on: it sets the paths of session files to '', and
	// archives the conversations where hosts of 1.0 keep the file, which follow no session files.
	Detach bool
	// ForgetPaths only sets the paths of session files to ''.
	ForgetPaths bool
	// Archive ends the conversations: two hosts must not own one session key.
	Archive bool
	// Search fills search tables as in the source. Without it the new file has none.
	Search bool
	// FilesTo is the folder for copies of large files; empty copies none. FilesFrom is where
	// they lie.
	FilesFrom, FilesTo string
	// Finish writes more into the new file, on the connection and in the transaction that
	// copied the rows. Nil writes nothing more.
	Finish func(ctx context.Context, conn *sql.Conn, r *Result) error
}

// Result is what was copied.
type Result struct {
	Path          string            `json:"path"`
	Bytes         int64             `json:"bytes"`
	Conversations []int64           `json:"conversation_ids"`
	Added         []int64           `json:"added_conversation_ids"` // Those that lineage leads to.
	Tables        map[string]int64  `json:"tables"`                 // Copied rows by table.
	Digests       map[string]string `json:"digests"`                // SHA-256 of the source's rows by table.
	Cut           map[string]int64  `json:"cut"`                    // Links that were left out, by table.
	LeftOut       []LeftOut         `json:"left_out"`
	Files         []data.NewFile    `json:"files"`
	MissingFiles  []string          `json:"missing_files"` // Ids of large files that aren't on the disk.
	Dangling      int64             `json:"dangling_references"`
	Detached      int64             `json:"detached"` // Rows whose path of a session file was set to ''.
	Archived      int64             `json:"archived"` // Conversations that were ended.
	Active        []int64           `json:"active_conversation_ids"`
	// EndedElsewhere says that a host on another machine archives the active conversations at its first start
	// with the file: it has no session of theirs.
	EndedElsewhere bool `json:"ended_elsewhere"`

	written []data.NewFile // Files that weren't there before.
}

// LeftOut is a table of the source whose rows aren't copied.
type LeftOut struct {
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	Reason string `json:"reason"`
}

// Crossing is how many links lead from the chosen conversations to another one.
type Crossing struct {
	Conversation int64  `json:"conversation_id"`
	Table        string `json:"table"`
	Links        int64  `json:"links"`
}

// ErrRelative says that the file isn't an lcm.db but one of a related program.
var ErrRelative = errors.New("files of related programs can't be copied in part: their rules aren't known")
