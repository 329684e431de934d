package promoted

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"lcm-tui/data"
)

// Table is the table of entries.
const Table = "promoted"

// Schema makes the table where it isn't there. The last column is not one of lossless-claude: data tells by it whose
// file it is.
const Schema = `CREATE TABLE IF NOT EXISTS promoted (id TEXT PRIMARY KEY, content TEXT NOT NULL, tags TEXT NOT NULL DEFAULT '[]',
	source_summary_id TEXT, project_id TEXT NOT NULL, session_id TEXT, depth INTEGER DEFAULT 0, confidence REAL DEFAULT 1.0,
	created_at TEXT NOT NULL, archived_at TEXT, superseded_by TEXT)`

// Entry is one entry of promoted memory.
type Entry struct {
	ID      string   `json:"id"`
	Content string   `json:"content"`
	Tags    []string `json:"tags"`
	// Summary is the summary that it was made of; empty where a person or an agent stored it.
	Summary string `json:"source_summary_id,omitempty"`
	// Project is the project to which it belongs; empty is all of them.
	Project    string    `json:"project_id"`
	Session    string    `json:"session_id,omitempty"`
	Depth      int64     `json:"depth"`      // Of the summary.
	Confidence float64   `json:"confidence"` // From 0 to 1.
	CreatedAt  data.Time `json:"created_at"`
	ArchivedAt data.Time `json:"archived_at,omitzero"` // Empty while it is in use.
	// Superseded is the id of the entry that says the same and is newer.
	Superseded string `json:"superseded_by,omitempty"`
}

// IsArchived reports whether the entry is out of use.
func (e Entry) IsArchived() bool { return e.ArchivedAt.Raw != "" }

// Has reports whether the entry has all of some tags.
func (e Entry) Has(tags []string) bool {
	return !slices.ContainsFunc(tags, func(t string) bool { return !slices.Contains(e.Tags, t) })
}

// Row returns the row of a new entry.
func (e Entry) Row() data.Row {
	tags, err := json.Marshal(append([]string{}, e.Tags...))
	if err != nil {
		panic(err) // Texts.
	}
	row := data.Row{
		"id": e.ID, "content": e.Content, "tags": string(tags), "source_summary_id": nil, "project_id": e.Project, "session_id": nil,
		"depth": e.Depth, "confidence": e.Confidence, "created_at": e.CreatedAt.Raw, "archived_at": nil, "superseded_by": nil,
	}
	for column, v := range map[string]string{"source_summary_id": e.Summary, "session_id": e.Session, "archived_at": e.ArchivedAt.Raw, "superseded_by": e.Superseded} {
		if v != "" {
			row[column] = v
		}
	}
	return row
}

// List returns all entries, newest first, also archived ones. A file without the table has none.
func List(ctx context.Context, q data.Querier) (out []Entry, err error) {
	out = []Entry{}
	has, err := columns(ctx, q)
	if err != nil || !has["id"] || !has["content"] {
		return out, err
	}
	column := func(name string) string {
		if has[name] {
			return name
		}
		return "NULL"
	}
	names := []string{"id", "content", "tags", "source_summary_id", "project_id", "session_id", "depth", "confidence", "created_at", "archived_at", "superseded_by"}
	for i, name := range names {
		names[i] = column(name)
	}
	query := "SELECT " + strings.Join(names, ", ") + " FROM promoted ORDER BY " + column("created_at") + " DESC, rowid DESC"
	err = data.Each(ctx, q, "read promoted memory", query, nil, func(scan data.RowScanner) error {
		var e Entry
		var id, content, tags, summary, project, session, superseded data.Text
		var depth data.Integer
		var confidence any
		if err := scan(&id, &content, &tags, &summary, &project, &session, &depth, &confidence, &e.CreatedAt, &e.ArchivedAt, &superseded); err != nil {
			return err
		}
		e.ID, e.Content, e.Summary, e.Project, e.Session, e.Superseded = string(id), string(content), string(summary), string(project), string(session), string(superseded)
		e.Depth, e.Confidence = int64(depth), number(confidence)
		if json.Unmarshal([]byte(tags), &e.Tags) != nil || e.Tags == nil {
			e.Tags = []string{}
		}
		out = append(out, e)
		return nil
	})
	slices.SortStableFunc(out, func(a, b Entry) int { return b.CreatedAt.Compare(a.CreatedAt.Time) }) // Programs write times differently.
	return out, err
}

// columns returns those of the table as they are now: another program may have made it since the file was opened.
func columns(ctx context.Context, q data.Querier) (map[string]bool, error) {
	has := map[string]bool{}
	err := data.Each(ctx, q, "read promoted memory", "SELECT name FROM pragma_table_info('"+Table+"')", nil, func(scan data.RowScanner) error {
		var name string
		err := scan(&name)
		has[name] = true
		return err
	})
	return has, err
}

// number returns a cell as a number.
func number(cell any) float64 {
	switch v := cell.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return 0
}

// Find returns the entry with an id, else those whose ids begin so.
func Find(entries []Entry, id string) (found []Entry) {
	for _, e := range entries {
		if e.ID == id {
			return []Entry{e}
		}
		if id != "" && strings.HasPrefix(e.ID, id) {
			found = append(found, e)
		}
	}
	return found
}
