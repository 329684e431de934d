package install

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tailscale/hujson"
)

// Retention is after how many days a client deletes a session file that nobody wrote to.
type Retention struct {
	Days   int    `json:"days"`   // 0 is never.
	Source string `json:"source"` // The file that says so; empty is the client's own default.
	// Problem says why the client doesn't go by its settings now: one of the files isn't valid. It deletes nothing then.
	Problem string `json:"problem,omitempty"`
	// Unread is a file that may say otherwise, and that this program can't read.
	Unread string `json:"unread,omitempty"`
}

// read reads a file of settings, if it is there. It notes one that can't be read.
func (r *Retention) read(path string) (f *file, ok bool) {
	f, err := readFile(path)
	if err == nil {
		return f, f.exists
	}
	if _, gone := os.Stat(path); !errors.Is(gone, fs.ErrNotExist) { // A link to nothing is no file for the client either.
		r.Unread = cmp.Or(r.Unread, path)
	}
	return nil, false
}

// DiesWithin reports whether the client deletes, within some days from now, a session file that was written last at a
// time.
func (r Retention) DiesWithin(days int, written, now time.Time) bool {
	return r.Days > 0 && r.Problem == "" && written.AddDate(0, 0, r.Days).Before(now.AddDate(0, 0, days))
}

const (
	// retentionName is Claude Code's setting, and retentionDefault its default in days, both as of 2.1.330.
	retentionName    = "cleanupPeriodDays"
	retentionDefault = 30
)

// RetentionOf returns after how many days a client deletes session files. Codex deletes none by their age.
func (e Environment) RetentionOf(client string) Retention {
	switch client {
	case "claude-code":
		return e.claudeRetention()
	case "gemini":
		return e.readGeminiRetention()
	}
	return Retention{}
}

// claudeSettings returns the files of Claude Code's settings, those that count most first.
func (e Environment) claudeSettings() []string {
	managed := "/etc/claude-code/managed-settings.json"
	switch e.OS {
	case "darwin":
		managed = "/Library/Application Support/ClaudeCode/managed-settings.json"
	case "windows":
		managed = `C:\Program Files\ClaudeCode\managed-settings.json`
	}
	return []string{
		managed, filepath.Join(e.WorkDir, ".claude", "settings.local.json"), filepath.Join(e.WorkDir, ".claude", "settings.json"), e.userSettings(),
	}
}

// userSettings returns the file of the user's own settings of Claude Code.
func (e Environment) userSettings() string {
	c, _ := ClientNamed("claude-code")
	return c.hookFile(e, ScopeUser)
}

func (e Environment) claudeRetention() Retention {
	r := Retention{Days: retentionDefault}
	for _, path := range e.claudeSettings() {
		f, ok := r.read(path)
		if !ok {
			continue
		}
		t, err := readJSON(f.content, false)
		if err != nil {
			r.Source, r.Problem = path, err.Error()
			return r
		}
		members, _ := t.decoded.(map[string]any)
		value, given := members[retentionName]
		if !given {
			continue
		}
		r.Source = path
		number, _ := value.(json.Number)
		if days, err := strconv.Atoi(number.String()); err == nil && days >= 1 {
			r.Days = days
			return r
		}
		text, _ := json.Marshal(value) // It was JSON.
		r.Problem = fmt.Sprintf("%s is %s, and it has to be a whole number from 1", retentionName, text)
		return r
	}
	return r
}

// partRetention is the setting that says how long session files are kept.
const partRetention Part = "retention"

// KeepSessions returns the change of the user's settings after which Claude Code keeps session files for so many days.
// Nothing else in the file changes. It writes nothing. The error is ErrNothing where the file says so already.
func (e Environment) KeepSessions(days int) (*Change, error) {
	c, _ := ClientNamed("claude-code")
	path := e.userSettings()
	f, err := readFile(path)
	if err != nil {
		return nil, err
	}
	t, err := readJSON(f.content, false)
	if err != nil {
		return nil, refuse(path, err, "repair the file by hand; this program never edits a file that is not valid")
	}
	object, ok := t.root.Value.(*hujson.Object)
	if !ok {
		return nil, refuse(path, errors.New("it holds no object"), "repair the file by hand")
	}
	value := json.Number(strconv.Itoa(days))
	switch i := indexOf(object, retentionName); {
	case i < 0:
		t.insert(t.root, retentionName, value)
	case string(object.Members[i].Value.Pack()) == value.String(), t.decoded.(map[string]any)[retentionName] == value:
		return nil, ErrNothing
	default:
		t.set(&object.Members[i].Value, value)
	}
	return &Change{
		Part: partRetention, Client: c, Scope: ScopeUser, Path: path, Target: f.target, Before: f.content, After: t.root.Pack(), Creates: !f.exists,
		file: f, pointer: "/" + retentionName, secretsOf: c.hookSecrets,
	}, nil
}

// leastRetention is from how many days on nothing is said of a retention.
const leastRetention = 365

// checkRetention notes that Claude Code deletes session files early, if it is used, and how many die soon.
func (i *Inspection) checkRetention(only string) []Finding {
	const client = "claude-code"
	use, used := i.Uses[client]
	r := i.Environment.RetentionOf(client)
	if !used || use.Session.IsZero() || only != "" && only != client || r.Problem != "" || r.Days >= leastRetention && use.Dying == 0 {
		return nil
	}
	f := Finding{
		ID: "I14", Severity: SeverityWarn, Client: client, Path: i.Environment.userSettings(), Pointer: "/" + retentionName,
		Text:   fmt.Sprintf("session files are deleted %d days after the last write", r.Days),
		Repair: "lcm-tui archive keep --days 365 --apply",
	}
	if use.Dying > 0 {
		f.Text += fmt.Sprintf("; %d of them die within seven days and aren't imported", use.Dying)
		f.Repair = "lcm-tui follow --apply --once imports them; " + f.Repair
	}
	if use.Soon > 0 {
		f.Severity = SeverityError
	}
	return []Finding{f}
}
