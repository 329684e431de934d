package bundle

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/redact"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
)

// Request says what a bundle is about.
type Request struct {
	Version   string // Of this program.
	FilesDir  string // The host's folder of large files.
	LogFolder string // Where the host writes its logs; empty for none.
	Settings  settings.Settings
	// Structure is the conversation of which a copy with made-up texts is added, or 0.
	Structure int64
}

// Entry is a file of the bundle.
type Entry struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	About string `json:"about"`
}

// Bundle is the files of a bug report, which lie in a private folder until Close.
type Bundle struct {
	Entries []Entry
	folder  string
	mask    *mask
}

// maker makes the files.
type maker struct {
	*Bundle
	ctx    context.Context
	db     *data.DB
	r      Request
	report data.Report
	convs  []lcm.Conversation
	// foreign are the numbers of the tables and indexes of other programs.
	foreign map[string]int
}

// DefaultLogFolder returns the folder in which the host writes its logs by default.
func DefaultLogFolder() string { return filepath.Join(os.TempDir(), "openclaw") }

// Make makes the files of a bundle. The caller closes it.
func Make(ctx context.Context, db *data.DB, r Request, report data.Report) (*Bundle, error) {
	folder, err := leftover.CreateFolder("bundle")
	if err != nil {
		return nil, err
	}
	b := &Bundle{folder: folder}
	m := &maker{Bundle: b, ctx: ctx, db: db, r: r, report: report}
	if err := m.make(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Close removes the files.
func (b *Bundle) Close() error { return leftover.RemoveFolder(b.folder) }

// Open opens one of the files for reading.
func (b *Bundle) Open(name string) (io.ReadCloser, error) {
	var names []string
	for _, e := range b.Entries {
		if e.Name == name {
			return os.Open(filepath.Join(b.folder, name))
		}
		names = append(names, e.Name)
	}
	return nil, hint.New("the bundle has no file "+name, "it has "+strings.Join(names, ", "))
}

// file is a file of a bundle and what makes it.
type file struct {
	name, about string
	fill        func(*maker, *bufio.Writer) error
}

// structureName is the file that is made only where it is asked for.
const structureName = "structure.db"

// files are the files of a bundle, in their order.
var files = []file{
	{"info.json", "versions, the kind and the size of the file", (*maker).info},
	{"doctor.json", "findings of the doctor: faults, tables and ids, without details", (*maker).doctor},
	{"config.json", "settings in force: numbers and switches as they are, of texts only that there is one", (*maker).config},
	{"schema.sql", "the statements that make tables and indexes", (*maker).schema},
	{"dbstat.json", "tables and indexes with their pages and bytes", (*maker).pages},
	{"conversations.json", "conversations by pseudonym: counts, times, and what the host notes of their state", (*maker).conversations},
	{"context.json", "the contexts: ordinals, kinds, tokens", (*maker).contexts},
	{"lineage.json", "summaries by number: depth, tokens, times, sources", (*maker).lineage},
	{"timeline.json", "messages by number: first letter of the role, tokens, second, starts of the kinds and lengths of parts, a salted digest", (*maker).timeline},
	{"log.txt", "lines of the host's log that are about lcm, without paths, keys and quoted texts", (*maker).log},
	{structureName, "a copy of one conversation whose texts are made up, of the same lengths", (*maker).structure},
	{"README.txt", "what is inside and what isn't", (*maker).readme},
}

// make makes all files.
func (m *maker) make() (err error) {
	if m.convs, err = lcm.Conversations(m.ctx, m.db); err != nil {
		return err
	}
	m.mask = newMask(m.convs)
	for _, f := range files {
		if f.name == structureName && m.r.Structure == 0 {
			continue
		}
		m.report(len(m.Entries), len(files), "making "+f.name)
		if err := m.add(f); err != nil {
			return fmt.Errorf("make %s: %w", f.name, err)
		}
	}
	return nil
}

// add makes a file. One that stays empty is left out.
func (m *maker) add(made file) error {
	path := filepath.Join(m.folder, made.name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = made.fill(m, w)
	if err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && info.Size() > 0 {
		m.Entries = append(m.Entries, Entry{made.name, info.Size(), made.about})
	}
	return err
}

// Check looks for secrets in every file. It fails with a *SecretError.
func (b *Bundle) Check(ctx context.Context) error {
	for _, e := range b.Entries {
		if strings.HasSuffix(e.Name, ".db") {
			continue // Its texts are made up.
		}
		if err := b.checkFile(ctx, e.Name); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bundle) checkFile(ctx context.Context, name string) error {
	f, err := b.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	for line := 1; ; line++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := r.ReadString('\n')
		if found := redact.Scan(text); len(found) > 0 {
			const source = "take the secret out of where it comes from, such as a session key or a log"
			return &hint.Error{
				Text: fmt.Sprintf("the bundle isn't written: line %d of %s looks like a secret (%s)", line, name, found[0].Rule),
				Next: "look at it with lcm-tui bundle --show " + name + ", and " + source, OnScreen: source,
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Write checks the files and writes them to a new zip file, which is private to the user. It
// replaces a file only where mayReplace returns nil for its path and the file is a bundle, and none
// where mayReplace is nil. It returns the size in bytes.
func (b *Bundle) Write(ctx context.Context, to string, mayReplace func(path string) error) (int64, error) {
	if err := b.Check(ctx); err != nil {
		return 0, err
	}
	replaces := mayReplace
	if mayReplace != nil {
		replaces = func(path string) error {
			if err := mayReplace(path); err != nil {
				return err
			}
			return checkBundle(path)
		}
	}
	return atomicfile.Fill(to, replaces, func(w io.Writer) error { return b.Pack(ctx, w) })
}

// Pack writes the zip file of the bundle without a check.
func (b *Bundle) Pack(ctx context.Context, w io.Writer) error {
	z := zip.NewWriter(w)
	for _, e := range b.Entries {
		if err := b.pack(ctx, z, e.Name); err != nil {
			return err
		}
	}
	return z.Close()
}

func (b *Bundle) pack(ctx context.Context, z *zip.Writer, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := b.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // Without a time of this machine.
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}
