package install

import (
	"encoding/json"
	"path/filepath"
	"strconv"

	"lcm-tui/internal/lazyregexp"
)

// geminiRetention is how long Gemini CLI 0.61.0 keeps sessions where nothing says otherwise, in days.
const geminiRetention = 30

// geminiSettings returns the files of Gemini CLI's settings, those that count most first.
func (e Environment) geminiSettings() []string {
	system := "/etc/gemini-cli"
	switch e.OS {
	case "darwin":
		system = "/Library/Application Support/GeminiCli"
	case "windows":
		system = `C:\ProgramData\gemini-cli`
	}
	c, _ := ClientNamed("gemini")
	return []string{
		filepath.Join(system, "settings.json"), filepath.Join(e.WorkDir, ".gemini", "settings.json"), c.hookFile(e, ScopeUser),
		filepath.Join(system, "system-defaults.json"),
	}
}

// geminiAge is an age as Gemini CLI writes it, and geminiUnits are its units in hours.
var (
	geminiAge   = lazyregexp.New(`^(\d{1,6})([hdwm])$`)
	geminiUnits = map[string]int{"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24}
)

// readGeminiRetention reads general.sessionRetention, of which each file may set a part. Days of 0 are: it deletes none.
// Less than a day counts as one, the least that the client takes.
func (e Environment) readGeminiRetention() Retention {
	r := Retention{Days: geminiRetention}
	var enabled, age bool // They are known.
	for _, path := range e.geminiSettings() {
		f, ok := r.read(path)
		if !ok {
			continue
		}
		t, err := readJSON(f.content, false)
		if err != nil {
			continue // The client passes over a file that isn't valid; other checks name it.
		}
		b, err := json.Marshal(t.decoded)
		var set struct {
			General struct {
				SessionRetention struct {
					Enabled *bool
					MaxAge  *string
				}
			}
		}
		if err != nil || json.Unmarshal(b, &set) != nil {
			continue
		}
		retention := set.General.SessionRetention
		if on := retention.Enabled; on != nil && !enabled {
			enabled = true
			if r.Source = path; !*on {
				return Retention{Source: path, Unread: r.Unread}
			}
		}
		if longest := retention.MaxAge; longest != nil && !age {
			age, r.Source = true, path
			found := geminiAge.FindStringSubmatch(*longest)
			if found == nil {
				r.Problem = "general.sessionRetention.maxAge is " + strconv.Quote(*longest) + ", and has to be such as 30d: nothing is deleted"
				continue
			}
			n, _ := strconv.Atoi(found[1]) // Digits, and few.
			r.Days = (n*geminiUnits[found[2]] + 23) / 24
		}
	}
	return r
}
