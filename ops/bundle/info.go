package bundle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/settings"
	"lcm-tui/ops/space"
)

// value writes a value as JSON.
func value(w *bufio.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}

// info says which program and which file this is.
func (m *maker) info(w *bufio.Writer) error {
	pragmas, err := data.PragmaValues(m.ctx, m.db, "page_size", "page_count", "freelist_count", "journal_mode", "auto_vacuum", "encoding", "user_version")
	if err != nil {
		return err
	}
	file, err := space.ReadFile(m.ctx, m.db)
	if err != nil {
		return err
	}
	k := m.db.Kind()
	active := 0
	for _, c := range m.convs {
		if c.Active {
			active++
		}
	}
	holders := m.db.Holders(m.db.Path())
	return value(w, map[string]any{
		"bundle":             1,
		"program":            map[string]any{"name": "lcm-tui", "version": m.r.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH},
		"database":           map[string]any{"written_by": k.Name, "level": k.Level, "generation": k.Generation, "upgraded": k.Upgraded, "relative": k.Relative, "note": k.Note, "bytes": file.Bytes, "wal_bytes": file.WALBytes, "settings": pragmas},
		"search_tables":      map[string]any{"whole": listOrEmpty(m.db.Schema().FTS), "broken": listOrEmpty(m.db.Schema().BrokenFTS)},
		"host_has_file_open": map[string]any{"known": holders.Known, "processes": len(holders.Names)},
		"conversations":      map[string]any{"all": len(m.convs), "active": active},
	})
}

func listOrEmpty(list []string) []string { return append([]string{}, list...) }

// doctor lists the findings, without their details, which may quote.
func (m *maker) doctor(w *bufio.Writer) error {
	found, err := integrity.Check(m.ctx, m.db, integrity.Request{FilesDir: m.r.FilesDir, Limits: integrity.LimitsOf(m.r.Settings)}, m.report)
	if err != nil {
		return err
	}
	type finding struct {
		Fault        integrity.FaultID  `json:"fault"`
		Title        string             `json:"title"`
		Severity     integrity.Severity `json:"severity"`
		Conversation int64              `json:"conversation_id,omitempty"`
		Table        string             `json:"table,omitempty"`
		Row          string             `json:"row,omitempty"`
		Rows         int                `json:"rows,omitempty"`
	}
	out := []finding{}
	for _, f := range found.Findings {
		fault, _ := integrity.Lookup(f.Fault)
		out = append(out, finding{f.Fault, fault.Title, f.Severity, f.Conversation, f.Table, m.mask.row(f.Row), len(f.Rows)})
	}
	return value(w, map[string]any{"findings": out, "counts": found.Counts})
}

// config lists the settings in force. A text may be a path or a name, so only that there is one
// is said, unless it is the default.
func (m *maker) config(w *bufio.Writer) error {
	type setting struct {
		Name   string `json:"name"`
		Value  any    `json:"value"`
		Source string `json:"source"`
	}
	out := []setting{}
	for _, s := range m.r.Settings.All {
		source := s.Source
		if source != settings.FromDefault && source != settings.FromFlag {
			source = "configured"
		}
		out = append(out, setting{s.Name, shownValue(s), source})
	}
	return value(w, map[string]any{"settings": out, "problems": len(m.r.Settings.Problems)})
}

// shownValue returns a value that says nothing about anyone.
func shownValue(s settings.Setting) any {
	switch v := s.Value.(type) {
	case nil, bool, int64, float64:
		return v
	case []string:
		return fmt.Sprintf("(list of %d)", len(v))
	case []any:
		return fmt.Sprintf("(list of %d)", len(v))
	}
	if s.Source == settings.FromDefault && !strings.ContainsAny(fmt.Sprint(s.Value), `/\@`) {
		return s.Value
	}
	return "(text)"
}

// schema writes the statements that make the file.
func (m *maker) schema(w *bufio.Writer) error {
	objects, err := data.SchemaObjects(m.ctx, m.db)
	foreign := map[string]int{}
	for _, o := range objects {
		if !isKnown(o.Kind, o.Name) {
			foreign[o.Kind]++
			continue
		}
		if _, err := w.WriteString(o.SQL + ";\n"); err != nil {
			return err
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(foreign)) {
		if _, err := fmt.Fprintf(w, "-- not shown, of other programs: %s %d\n", kind, foreign[kind]); err != nil {
			return err
		}
	}
	return err
}

// pages lists tables and indexes with their pages.
func (m *maker) pages(w *bufio.Writer) error {
	objects, err := space.ListObjects(m.ctx, m.db)
	if err != nil {
		return err
	}
	type object struct {
		Name    string           `json:"name"`
		Kind    space.ObjectKind `json:"kind"`
		Table   string           `json:"table"`
		Pages   int64            `json:"pages"`
		Rows    int64            `json:"rows"`
		Payload int64            `json:"payload_bytes"`
		Unused  int64            `json:"unused_bytes"`
	}
	out := []object{}
	for i := range objects {
		o := &objects[i]
		if err := space.ReadPages(m.ctx, m.db, o); err != nil {
			return value(w, map[string]any{"objects": []object{}, "problem": "this SQLite has no dbstat table"})
		}
		name, table := m.objectName(o.Name), m.objectName(o.Table)
		out = append(out, object{name, o.Kind, table, o.Pages(), o.Rows(), o.Payload(), o.Unused()})
	}
	return value(w, map[string]any{"objects": out})
}

// readme says what is inside.
func (m *maker) readme(w *bufio.Writer) error {
	entries := slices.Clone(m.Entries)
	var b strings.Builder
	b.WriteString("A bug report, made by lcm-tui " + m.r.Version + ".\n\nInside:\n")
	for _, e := range entries {
		fmt.Fprintf(&b, "  %-20s %s\n", e.Name, e.About)
	}
	b.WriteString(`
Not inside: texts of messages, summaries, files and tools; titles; names of people; keys and
passwords; paths; the environment. Session keys, ids of sessions and home folders are replaced.
The same thing has the same replacement in every file, and another one in the next bundle.
Digests are salted, and the salt is thrown away: they only show which things are equal.
`)
	_, err := w.WriteString(b.String())
	return err
}
