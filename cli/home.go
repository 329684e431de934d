package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/data/openclaw"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/home"
	"lcm-tui/internal/hint"
	"lcm-tui/work"
)

// homeWait is how long a command waits for the answer whether the database in the environment has a home.
const homeWait = 5 * time.Second

// homeKnown is how long it isn't asked again after the answer that it has one.
const homeKnown = time.Hour

// namesHome reports whether the database of an address, which stands in the environment and names no source, has a home. Where the
// server can't be asked, it is what it was the last time: else a program would write to a file while the server is away.
func namesHome(a *App, address string) bool {
	parsed, err := postgres.Parse(address)
	if err != nil {
		return false
	}
	note := homeNote(openclaw.OwnState(a.Sys.Env), parsed.String())
	if known, err := os.Lstat(note); err == nil && time.Since(known.ModTime()) < homeKnown {
		return true // Hooks have little time. If it isn't there any more, opening it says so.
	}
	ctx, cancel := context.WithTimeout(context.Background(), homeWait)
	defer cancel()
	there, err := home.Exists(ctx, address)
	switch {
	case err != nil:
		_, missing := os.Lstat(note)
		return note != "" && missing == nil
	case note == "":
	case there:
		if os.MkdirAll(filepath.Dir(note), 0o700) == nil {
			_ = os.WriteFile(note, []byte(parsed.String()+"\n"), 0o600) // Without it the server is asked again.
		}
	default:
		_ = os.Remove(note)
	}
	return there
}

// homeFiles returns the folder of this machine for large payloads that it imports into a home; it is empty where there is no folder
// for state.
func homeFiles(state, place string) string {
	if state == "" {
		return ""
	}
	return filepath.Join(work.Folder(state, place), "files")
}

// atHome says, for each command that a home refuses, why, and what to do in its place.
var atHome = map[string]struct{ reason, next string }{
	"bundle":  {"it describes a file: its pages, its schema and what lies beside it", "send the result of lcm-tui doctor and the version of the server"},
	"prune":   {"what it removes goes into a trash file beside the database, and a home has none", "dissolve or rewrite summaries, or delete rows in SQL after a pg_dump"},
	"reclaim": {"the server keeps its own files", "VACUUM (FULL) on the server gives space back"},
	"restore": {"it puts a file in the place of a file", "pg_restore puts a dump of the schemas home and lcm back"},
	"secrets": {"it overwrites pages of a file, and a home has none", "edit the texts, and VACUUM FULL on the server then"},
	"slice":   {"it copies rows with the tables of a file", "export the conversations, or pg_dump the schema home"},
	"space":   {"it measures the pages of a file", "pg_total_relation_size in SQL measures the tables of the schema home"},
	"trash":   {"what pruning removes from a file goes there, and a home isn't pruned", "lcm-tui undo undoes changes of a home"},
}

// refuseAtHome refuses a command that needs a file where the database is a home.
func refuseAtHome(ctx context.Context, a *App, command string) error {
	why, refused := atHome[command]
	if !refused {
		return nil
	}
	_, address := replicaAddress(a, a.Chosen)
	parsed, err := postgres.Parse(address)
	if err != nil || parsed.Source != "" {
		return nil //nolint:nilerr // It is a file, or opening it says what is wrong.
	}
	if there, err := home.Exists(ctx, address); err != nil || !there {
		return nil //nolint:nilerr // As above.
	}
	return hint.New(command+" can't be done on the home "+parsed.String()+": "+why.reason, why.next)
}

// homeNote returns the path of the file that says that a database has a home; it is empty where there is no folder for state.
func homeNote(state, place string) string {
	if state == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(place))
	return filepath.Join(state, "home-"+hex.EncodeToString(sum[:8]))
}

// homeAddress returns the address in the environment if its database has a home.
func homeAddress(a *App) string {
	address := strings.TrimSpace(a.Sys.Env(postgres.AddressVariable))
	if address == "" || a.NeedsFile || !namesHome(a, address) {
		return ""
	}
	return address
}
