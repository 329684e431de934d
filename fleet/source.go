package fleet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
)

// Source is a database of which a copy is kept.
type Source struct {
	Name string `json:"name"`           // Of the machine, as the user calls it.
	Host string `json:"host,omitempty"` // As ssh knows it; empty is this machine.
	// Path of the database. On another machine it may be empty: then it is the one that lcm-tui finds there.
	Path    string    `json:"path,omitempty"`
	AddedAt time.Time `json:"added_at"`
}

// Place returns where the database is, as it is given to Parse.
func (s Source) Place() string {
	switch {
	case s.Host == "":
		return s.Path
	case s.Path == "":
		return s.Host
	case strings.Contains(s.Host, ":"):
		return "[" + s.Host + "]:" + s.Path
	}
	return s.Host + ":" + s.Path
}

var (
	nameForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)
	// hostForm is what a host looks like. It never begins with -, which ssh would read as an option.
	hostForm = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.@%-]{0,250}$`)
	ipv6Form = lazyregexp.New(`^([A-Za-z0-9_][A-Za-z0-9_.-]*@)?[0-9a-fA-F:.]+(%[A-Za-z0-9]+)?$`)
)

// ErrName says that a name can't be that of a machine.
var ErrName = errors.New("a name has letters, digits, dots, - and _, at most 40, and begins with a letter or digit")

// Parse reads what a user names: a file or a folder of this machine, or HOST, HOST:PATH or [IPv6]:PATH. What stands on
// this machine comes first.
func Parse(name, place string) (Source, error) {
	s := Source{Name: name}
	if !nameForm.MatchString(name) {
		return s, fmt.Errorf("%q: %w", name, ErrName)
	}
	if place == "" || strings.ContainsFunc(place, isControl) {
		return s, &hint.Error{Err: fmt.Errorf("%q is no place of a database", place), Next: "name a host as ssh knows it, HOST:PATH, a file or a folder"}
	}
	_, err := os.Stat(place)
	if err == nil || filepath.IsAbs(place) || strings.HasPrefix(place, ".") || strings.HasSuffix(place, ".db") && !strings.Contains(place, ":") || strings.Contains(place, string(filepath.Separator)) && !strings.Contains(place, ":") {
		return s.local(place)
	}
	s.Host, s.Path = splitHost(place)
	if !hostForm.MatchString(s.Host) && !(strings.Contains(s.Host, ":") && ipv6Form.MatchString(s.Host)) {
		return s, &hint.Error{Err: fmt.Errorf("%q is no name of a host", s.Host), Next: "write it as in ssh HOST; what else a connection needs belongs into the configuration of ssh"}
	}
	return s, nil
}

// local returns the source of a file of this machine, or of lcm.db in a folder.
func (s Source) local(place string) (Source, error) {
	path, err := filepath.Abs(place)
	if err != nil {
		return s, err
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, defaultFile)
		info, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return s, &hint.Error{Err: err, Next: "name the database, or the folder with its " + defaultFile}
	case !info.Mode().IsRegular():
		return s, fmt.Errorf("%s is no file", path)
	}
	s.Path = path
	return s, nil
}

// defaultFile is the name of a database in a folder.
const defaultFile = "lcm.db"

// splitHost splits HOST:PATH.
func splitHost(place string) (host, path string) {
	if rest, ok := strings.CutPrefix(place, "["); ok {
		if host, path, ok := strings.Cut(rest, "]"); ok {
			return host, strings.TrimPrefix(path, ":")
		}
	}
	host, path, _ = strings.Cut(place, ":")
	return host, path
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }
