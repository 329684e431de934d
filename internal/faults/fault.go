package faults

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"lcm-tui/internal/fakehost"
)

// ErrUnfit says that a file's level has no place for a fault.
var ErrUnfit = errors.New("the level of this file has no place for the fault")

//go:embed *.sql
var scripts embed.FS

// fileFaults are the faults that are done to the file, not to its rows.
var fileFaults = map[string]func(path string) error{
	"empty-file": func(p string) error { return os.Truncate(p, 0) },
	"not-sqlite": func(p string) error {
		return os.WriteFile(p, bytes.Repeat([]byte("This is a diary, not a database.\n"), 260), 0o600)
	},
	"truncated-file": truncate,
}

// Names lists the faults that Break can do to a sample of Head, sorted.
func Names() []string { return NamesAt(fakehost.Head) }

// NamesAt lists the faults that are made in samples of a level, sorted.
func NamesAt(level fakehost.Level) (out []string) {
	for name := range fileFaults {
		out = append(out, name)
	}
	files, err := scripts.ReadDir(".")
	if err != nil {
		panic(err) // embedded
	}
	for _, f := range files {
		out = append(out, strings.TrimSuffix(f.Name(), ".sql"))
	}
	slices.Sort(out)
	return slices.DeleteFunc(out, func(name string) bool { return Level(name) != level })
}

// Level returns the level of the sample that a fault is made in: the one that its script names, or
// the newest of 0.x. Faults of tables that came with 1.0 name theirs (-- level 1.0.0-beta).
func Level(fault string) fakehost.Level {
	b, err := scripts.ReadFile(fault + ".sql")
	if err != nil {
		return fakehost.Head // A fault of the file.
	}
	for line := range strings.Lines(string(b)) {
		if level, ok := strings.CutPrefix(strings.TrimSpace(line), "-- level "); ok {
			return fakehost.Level(level)
		}
	}
	return fakehost.Head
}

// Break damages a file made by Sample; doing it twice is the same as once. A fault
// whose tables or columns the file's level lacks is ErrUnfit and changes nothing.
func Break(file, fault string) error {
	if f, ok := fileFaults[fault]; ok {
		if err := f(file); err != nil {
			return fmt.Errorf("break %s: %w", fault, err)
		}
		return nil
	}
	b, err := scripts.ReadFile(fault + ".sql")
	if err != nil {
		return fmt.Errorf("no fault %q", fault)
	}
	h, err := fakehost.Open(file)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := runScript(h, string(b)); err != nil {
		return fmt.Errorf("break %s: %w", fault, err)
	}
	return nil
}

// Alter runs a script on a file with none of the schema's rules enforced. The file is
// in rollback mode afterwards, so that it is one file also while it is read.
func Alter(file, script string) error {
	h, err := fakehost.Open(file)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := runScript(h, script); err != nil {
		return fmt.Errorf("alter %s: %w", file, err)
	}
	return h.Script("PRAGMA journal_mode = DELETE")
}

// runScript runs a fault's script with nothing to stop it. Comments at its head may say
// what it needs (-- needs table.column …) and that the search tables keep up (-- index).
func runScript(h *fakehost.Writer, script string) error {
	index := false
	for line := range strings.Lines(script) {
		word, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "-- "), " ")
		if !strings.HasPrefix(line, "--") {
			break
		}
		index = index || word == "index"
		if ok && word == "needs" && !hasColumns(h, rest) {
			return ErrUnfit
		}
	}
	if err := h.Script("PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON"); err != nil {
		return err
	}
	return h.Tx(func(h *fakehost.Writer) error {
		if err := h.Script(script); err != nil || !index {
			return err
		}
		return rebuildSearch(h)
	})
}

// hasColumns reports whether the file has every table.column of a list.
func hasColumns(h *fakehost.Writer, needs string) bool {
	for _, n := range strings.Fields(needs) {
		t, c, _ := strings.Cut(n, ".")
		if !h.Has(t, c) {
			return false
		}
	}
	return true
}

// rebuildSearch fills the search tables again from the rows.
func rebuildSearch(h *fakehost.Writer) error {
	err := h.Script(`DELETE FROM messages_fts;
		INSERT INTO messages_fts(rowid, content) SELECT message_id, content FROM messages WHERE trim(content) <> ''`)
	for _, t := range []string{"summaries_fts", "summaries_fts_cjk"} {
		if err == nil && h.Has(t) {
			err = h.Script("DELETE FROM " + t + "; INSERT INTO " + t + "(summary_id, content) SELECT summary_id, content FROM summaries")
		}
	}
	return err
}

// truncate cuts the file in the middle of a page, leaving what stands in its header.
func truncate(p string) error {
	h, err := fakehost.Open(p)
	if err != nil {
		return nil // cut already
	}
	var size int64
	err = h.Read([]any{&size}, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Truncate(p, size/2+100)
}
