package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/regularfile"
)

// Store is the folder of the sources and their copies. Each source has a folder of its own in it, so that
// several processes can use the store at once.
type Store struct {
	Folder string
	Now    func() time.Time
}

// Below returns the store in the folder of this program's state.
func Below(state string, now func() time.Time) Store {
	if now == nil {
		now = time.Now
	}
	return Store{filepath.Join(state, "fleet"), now}
}

const (
	sourceFile = "source.json"
	copyFile   = "copy.json"
	mostState  = 64 << 10 // Bytes of one of these files.
)

// Generation is one copy of a database.
type Generation struct {
	File     string    `json:"file"`  // Its name in the folder of the source.
	Stamp    string    `json:"stamp"` // By which the other side knows what the copy holds.
	PulledAt time.Time `json:"pulled_at"`
	Bytes    int64     `json:"bytes"`
	Packed   int64     `json:"packed"` // What came over the line for it, in bytes.
}

// Copy is what is known of a source's copies.
type Copy struct {
	Newest   *Generation `json:"newest,omitempty"`
	Previous *Generation `json:"previous,omitempty"`
	// CheckedAt is when the source was asked last with success: since then the newest copy is what it had.
	CheckedAt time.Time `json:"checked_at,omitzero"`
	TriedAt   time.Time `json:"tried_at,omitzero"`
	Error     string    `json:"error,omitempty"` // Why the last try failed; text of another machine. Empty if it succeeded.
	Hint      string    `json:"hint,omitempty"`  // What to do about that, without flags; empty where nothing is known.
}

// State is a source with its copies.
type State struct {
	Source
	Copy
}

// Generations returns the copies that are here, the newest first.
func (c Copy) Generations() (all []Generation) {
	for _, g := range []*Generation{c.Newest, c.Previous} {
		if g != nil {
			all = append(all, *g)
		}
	}
	return all
}

// Grew returns by how many bytes the newest copy is larger than the one before; ok is false where there aren't two.
func (c Copy) Grew() (bytes int64, ok bool) {
	if c.Newest == nil || c.Previous == nil {
		return 0, false
	}
	return c.Newest.Bytes - c.Previous.Bytes, true
}

// ErrUnknown says that no source has a name.
var ErrUnknown = errors.New("no machine has this name")

func (s Store) folder(name string) string { return filepath.Join(s.Folder, name) }

// Path returns where the newest copy of a source lies, or an error where there is none.
func (s Store) Path(t State) (string, error) {
	if t.Newest == nil {
		return "", &hint.Error{Err: fmt.Errorf("there is no copy of %s yet", t.Name), Next: "lcm-tui fleet pull " + t.Name}
	}
	return filepath.Join(s.folder(t.Name), filepath.Base(t.Newest.File)), nil
}

// Add adds a source, which no other may be called like.
func (s Store) Add(src Source) error {
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return storeProblem(err)
	}
	src.AddedAt = s.Now().UTC().Truncate(time.Second)
	if err := os.Mkdir(s.folder(src.Name), 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return &hint.Error{Err: fmt.Errorf("there is a machine %s already", src.Name), Next: "choose another name, or lcm-tui fleet remove " + src.Name, OnScreen: "choose another name, or remove that one first"}
		}
		return storeProblem(err)
	}
	err := errors.Join(writeState(filepath.Join(s.folder(src.Name), sourceFile), src), s.mark(src.Name, time.Time{}))
	if err != nil {
		_ = os.RemoveAll(s.folder(src.Name))
	}
	return storeProblem(err)
}

// AddPlace adds a source as a user names it: see Parse.
func (s Store) AddPlace(name, place string) error {
	src, err := Parse(name, place)
	if err != nil {
		return err
	}
	return s.Add(src)
}

// Has reports whether a path is one of the copies of a source, or was.
func (s Store) Has(name, path string) bool {
	return filepath.Dir(path) == s.folder(name) && strings.HasPrefix(filepath.Base(path), copyStart)
}

// Remove removes a source with its copies. It is ErrBusy while another process fetches one.
func (s Store) Remove(name string) error {
	if _, err := s.Get(name); err != nil && !errors.Is(err, errNoSource) {
		return err
	}
	unlock, err := s.lock(name)
	if err != nil {
		return err
	}
	defer unlock()
	folder := s.folder(name)
	away := filepath.Join(s.Folder, ".removed-"+name)
	if err := os.RemoveAll(away); err != nil { // Of a removal that was ended early.
		return storeProblem(err)
	}
	if os.Rename(folder, away) == nil { // Else another process could lock and fill it while its files go.
		folder = away
	}
	return storeProblem(os.RemoveAll(folder))
}

// lock keeps other processes from fetching or removing copies of a source, until unlock is called.
func (s Store) lock(name string) (unlock func(), err error) {
	lock := flock.New(filepath.Join(s.folder(name), lockFile), flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, storeProblem(err))
	case !got:
		return nil, &hint.Error{Err: fmt.Errorf("%s: %w", name, ErrBusy), Next: "wait until that has ended"}
	}
	return func() { _ = lock.Close() }, nil
}

// lockFile is locked while a copy is fetched.
const lockFile = "pull.lock"

// storeProblem adds to an error of writing into the store what to do about it.
func storeProblem(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return hint.Wrap(err, "make room on the disk with this program's state; what is there stays as it is")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return hint.Wrap(err, "this user has to be able to write into the folder of this program's state; copies that are there can be read all the same")
	}
	return err
}

// errNoSource says that a folder of the store has no source.
var errNoSource = errors.New("its source can't be read")

// Get returns a source with its copies.
func (s Store) Get(name string) (t State, err error) {
	if !nameForm.MatchString(name) {
		return t, fmt.Errorf("%q: %w", name, ErrName)
	}
	if _, err := os.Lstat(s.folder(name)); errors.Is(err, fs.ErrNotExist) {
		return t, &hint.Error{Err: fmt.Errorf("%s: %w", name, ErrUnknown), Next: "lcm-tui fleet list shows all; lcm-tui fleet add " + name + " HOST adds one"}
	}
	if err := readState(filepath.Join(s.folder(name), sourceFile), &t.Source); err != nil || t.Name != name {
		return t, &hint.Error{Err: fmt.Errorf("%s: %w", name, errors.Join(errNoSource, err)), Next: "lcm-tui fleet remove " + name + ", then add it again"}
	}
	if err := readState(filepath.Join(s.folder(name), copyFile), &t.Copy); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Copy = Copy{Error: "what was noted of its copies can't be read: " + err.Error()} // A pull makes both again.
	}
	return t, nil
}

// All returns all sources, by name. One that can't be read has the reason as its error.
func (s Store) All() (all []State, err error) {
	found, err := os.ReadDir(s.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		if !e.IsDir() || !nameForm.MatchString(e.Name()) {
			continue
		}
		t, err := s.Get(e.Name())
		if err != nil {
			t.Name, t.Error = e.Name(), err.Error()
		}
		all = append(all, t)
	}
	return all, nil
}

// Chosen returns the sources of these names, or all if there are none.
func (s Store) Chosen(names ...string) (chosen []State, err error) {
	if len(names) == 0 {
		if chosen, err = s.All(); err == nil && len(chosen) == 0 {
			err = &hint.Error{Err: errors.New("no machine is known"), Next: "lcm-tui fleet add NAME HOST"}
		}
		return chosen, err
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		t, err := s.Get(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, t)
	}
	return chosen, nil
}

// Database returns the newest copy of a source as one of the databases that can be opened; ok is false where there is none.
func (s Store) Database(t State) (db openclaw.Database, ok bool) {
	path, err := s.Path(t)
	return openclaw.Database{Path: path, Program: "copy of " + t.Name, Found: t.Place(), Machine: t.Name}, err == nil
}

// Databases returns the newest copies of all sources that have one.
func (s Store) Databases() (found []openclaw.Database) {
	all, _ := s.All()
	for _, t := range all {
		if db, ok := s.Database(t); ok {
			found = append(found, db)
		}
	}
	return found
}

// mark writes by what copies are known as such, with the time at which the machine was asked.
func (s Store) mark(name string, asked time.Time) error {
	path := filepath.Join(s.folder(name), data.OtherMachineFile)
	if _, err := os.Lstat(path); err != nil {
		if err := atomicfile.Write(path, []byte(name+"\n"), atomicfile.Options{Replace: true}); err != nil {
			return err
		}
	}
	if asked.IsZero() {
		return nil
	}
	return os.Chtimes(path, asked, asked)
}

// note writes what is known of a source's copies, and removes files of older ones.
func (s Store) note(name string, c Copy) error {
	folder := s.folder(name)
	if err := s.mark(name, c.CheckedAt); err != nil {
		return err
	}
	if err := writeState(filepath.Join(folder, copyFile), c); err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, g := range c.Generations() {
		kept[g.File] = true
	}
	found, err := os.ReadDir(folder)
	for _, e := range found {
		base, _, _ := strings.Cut(e.Name(), databaseEnd)
		if strings.HasPrefix(base, copyStart) && !kept[base+databaseEnd] {
			err = errors.Join(err, os.Remove(filepath.Join(folder, e.Name())))
		}
	}
	return err
}

// Copies are called copyStart, a number and databaseEnd; what SQLite keeps beside one has more behind that.
const (
	copyStart   = "copy-"
	databaseEnd = ".db"
)

func writeState(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(b, '\n'), atomicfile.Options{Replace: true})
}

func readState(path string, v any) error {
	b, err := regularfile.Read(path, mostState)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}
