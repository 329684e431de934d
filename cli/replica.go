package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/home"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/ui/userconfig"
	"lcm-tui/work"
)

// replicaAddress returns the address of a replica or a home, and where it was given: by --db, or in the environment where
// no file is named and the address names a source, or a database that has a home. A chosen database is that.
func replicaAddress(a *App, chosen *openclaw.Database) (where, address string) {
	if chosen != nil {
		if postgres.IsAddress(chosen.Path) {
			return "chosen among the databases", chosen.Path
		}
		return "", ""
	}
	if given := a.Opts.Database(); given != "" || a.Sys.Env("LCM_DATABASE_PATH") != "" {
		if postgres.IsAddress(given) {
			return "--db", given
		}
		return "", ""
	}
	address = strings.TrimSpace(a.Sys.Env(postgres.AddressVariable))
	parsed, err := postgres.Parse(address)
	if err != nil && address != "" && !a.NeedsFile {
		return postgres.AddressVariable, address // Opening it says what is wrong. A file in its place would take what belongs there.
	}
	if err != nil || parsed.Source == "" {
		if address = homeAddress(a); address == "" {
			return "", ""
		}
	}
	return postgres.AddressVariable, address
}

// locateReplica returns the locations for a replica: what lies beside a file isn't there.
func locateReplica(a *App, where, address string) (openclaw.Locations, error) {
	if where == "--db" {
		if err := postgres.CheckArgument(address); err != nil {
			return openclaw.Locations{}, err
		}
	}
	place, err := reading.Place(address)
	if err != nil && where == postgres.AddressVariable {
		err = fmt.Errorf("%s: %w", where, err)
	}
	if err != nil {
		return openclaw.Locations{}, err
	}
	l, _ := openclaw.Locate("", a.Opts.State.Value, a.Sys.Env) // The database is named, so that its configuration isn't needed.
	l.FilesDir = ""                                            // Large files lie where the database does.
	if parsed, err := postgres.Parse(address); err == nil && parsed.Source == "" {
		l.FilesDir = homeFiles(openclaw.OwnState(a.Sys.Env), place)
	}
	l.Database, l.Places = place, []openclaw.Place{{Where: where, Value: place}}
	return l, nil
}

// namedDatabases returns what --db names: files, and addresses of replicas.
func namedDatabases(a *App) (files, addresses []string) {
	for _, name := range a.Opts.DB.Values {
		if postgres.IsAddress(name) {
			addresses = append(addresses, name)
		} else {
			files = append(files, name)
		}
	}
	return files, addresses
}

// namedPlace is where an address was given that --db names.
const namedPlace = "--db"

// listWait is how long a list of databases waits for a replica.
const listWait = 5 * time.Second

// AddReplicas adds the sources of replicas to the databases that were found: of those that --db names, else of that in the
// environment and of the targets in config.toml.
func (a *App) AddReplicas(ctx context.Context, found *openclaw.Discovery) {
	places := replicaPlaces(a, len(a.Opts.DB.Values) == 0)
	for _, address := range slices.Sorted(maps.Keys(places)) {
		list, err := listSources(ctx, address, places[address])
		if err != nil {
			found.Problems = append(found.Problems, hint.Wrap(err, "the other places were searched; "+hint.Of(err)))
			found.Unread = found.Unread || places[address] == namedPlace
		}
		found.Databases = append(found.Databases, list...)
	}
}

// replicaPlaces returns the addresses of replicas that --db names, and with known also those in the environment and in config.toml,
// with where each was given.
func replicaPlaces(a *App, known bool) map[string]string {
	_, named := namedDatabases(a)
	places := map[string]string{}
	for _, address := range named {
		places[address] = namedPlace
	}
	if !known {
		return places
	}
	for name, address := range userconfig.Load(userconfig.Path(a.Sys.Env)).Targets {
		places[address] = "target " + name
	}
	if address := strings.TrimSpace(a.Sys.Env(postgres.AddressVariable)); address != "" {
		places[address] = postgres.AddressVariable
	}
	return places
}

// listSources returns the sources of a replica as databases.
func listSources(ctx context.Context, address, where string) (out []openclaw.Database, err error) {
	if where != postgres.AddressVariable {
		if err := postgres.CheckArgument(address); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	if parsed, err := postgres.Parse(address); err == nil && parsed.Source == "" {
		if there, err := home.Exists(ctx, address); err != nil {
			return nil, err
		} else if there {
			place, err := reading.Place(address) // By which it is opened with all settings of the address.
			if err != nil {
				return nil, err
			}
			out = append(out, openclaw.Database{Path: place, Program: "home", Found: where, Regular: true})
		}
	}
	sources, err := reading.Sources(ctx, address)
	for _, s := range sources {
		out = append(out, openclaw.Database{
			Path: s.Place, Program: "replica of " + s.Name, Found: where, Machine: s.Host, Regular: true, Bytes: s.Bytes, Modified: s.SyncedAt,
		})
	}
	return out, err
}

// SourcesOf returns the sources of the replicas that --db names, or those of them with these names, as copies for which a command
// answers. What was deleted from others has to be named.
func SourcesOf(ctx context.Context, a *App, names ...string) (out []Copy, err error) {
	files, addresses := namedDatabases(a)
	if len(files) > 0 {
		return nil, UsageErrorf("--fleet has no effect with --db %s: it names the copies itself; only the address of a replica says where they are", files[0])
	}
	wanted := slices.Clone(names)
	for _, address := range addresses {
		if parsed, err := postgres.Parse(address); err == nil && parsed.Source != "" {
			return nil, UsageErrorf("--db names the source %s, and --fleet is about several: leave ?source= out, and name them with --fleet=NAME,…", parsed.Source)
		}
		if err := postgres.CheckArgument(address); err != nil {
			return nil, err
		}
		sources, err := reading.Sources(ctx, address)
		if err != nil {
			return nil, err
		}
		for _, s := range sources {
			if len(names) > 0 && !slices.Contains(names, s.Name) || len(names) == 0 && s.IsDeleted {
				continue
			}
			wanted = slices.DeleteFunc(wanted, func(name string) bool { return name == s.Name })
			out = append(out, copyOfSource(s, a.Now()))
		}
	}
	switch {
	case len(wanted) > 0:
		return nil, hint.New("the replica has no source "+wanted[0], Program+" databases --db ADDRESS lists its sources")
	case len(out) == 0:
		return nil, hint.New("the replica has no sources", Program+" sync --apply on a machine with a database makes one")
	}
	return out, nil
}

// copyOfSource returns a source as a copy.
func copyOfSource(s reading.Source, now time.Time) Copy {
	c := Copy{Source: s.Name, Place: s.Host, Database: s.Place, IsReplica: true, AskedAt: s.SyncedAt}
	if !s.SyncedAt.IsZero() {
		age := now.Sub(s.SyncedAt).Seconds()
		c.Age = &age
	}
	return c
}

// asReader returns a context with which replicas are opened: their audit has who reads, and by which command.
func asReader(ctx context.Context, a *App, command string) context.Context {
	return reading.WithReader(ctx, reading.Reader{Principal: postgres.Principal(), Origin: Program + " " + a.Sys.VersionText(), Command: command})
}

// withOrder gives the refusal to write to a replica a hint with the words of the command: what makes its plan, and leaves that for the
// machine of the file.
func withOrder(c *Invocation, err error, writesPlans bool) error {
	var e *data.ElsewhereError
	if !writesPlans || !errors.As(err, &e) || e.Verb != "write" {
		return err
	}
	words := []string{Program}
	for _, a := range c.Arguments {
		if a != "--apply" && a != "--yes" && a != "-y" {
			words = append(words, quotedWord(a))
		}
	}
	return hint.Wrap(err, "leave the plan for "+e.Replica.Host+": "+strings.Join(words, " ")+" --plan-out plan.json; then "+Program+" fleet order "+quotedWord(e.Replica.Source)+" plan.json")
}

// plainWord are the characters of words that a shell takes as they are.
var plainWord = lazyregexp.New(`^[\w@%+=:,./-]+$`)

// quotedWord returns a text as a word of a shell.
func quotedWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// allOfSummaries are the commands whose whole answer a replica of summaries has.
var allOfSummaries = []string{"databases", "doctor", "focus", "info", "metrics", "summaries"}

// warnOfSummaries says of a replica without all messages where they are, and refuses to list them where there are none.
func warnOfSummaries(c *Invocation, db *data.DB) error {
	r, ok := db.Replica()
	if !ok {
		return nil
	}
	if err := r.SomeConversations(); err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	if slices.Contains(allOfSummaries, c.Name) {
		return nil
	}
	err := r.NoMessages()
	if c.Name == "messages" {
		return err
	}
	if err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	return nil
}

// ReplicaLag returns what reads how far the replica in the environment is behind a file of this machine, or nil where none is named.
func ReplicaLag(a *App, path string) func(context.Context) (data.ReplicaLag, bool, error) {
	address := strings.TrimSpace(a.Sys.Env(postgres.AddressVariable))
	if address == "" || postgres.IsAddress(path) {
		return nil
	}
	return func(ctx context.Context) (data.ReplicaLag, bool, error) { return reading.LagOfFile(ctx, address, path) }
}

// IsReplica reports whether a place names a replica and no file.
func IsReplica(place string) bool { return postgres.IsAddress(place) }

// homeWait is how long a command waits for the answer whether the database in the environment has a home.
const homeWait = 5 * time.Second

// homeKnown is how long it isn't asked again after the answer that it has one, and homeAway after no answer came.
const (
	homeKnown = time.Hour
	homeAway  = time.Minute
)

// namesHome reports whether the database of an address, which stands in the environment and names no source, has a home. Where the
// server can't be asked, it is what it was the last time: else a program would write to a file while the server is away.
func namesHome(a *App, address string) bool {
	parsed, err := postgres.Parse(address)
	if err != nil {
		return false
	}
	note := homeNote(openclaw.OwnState(a.Sys.Env), parsed.String())
	away := note + ".away" // One command waits for a server that doesn't answer, and not each.
	switch {
	case note != "" && isYounger(note, homeKnown):
		return true // Hooks have little time. If it isn't there any more, opening it says so.
	case note != "" && isYounger(away, homeAway):
		return FileExists(note)
	}
	ctx, cancel := context.WithTimeout(context.Background(), homeWait)
	defer cancel()
	there, err := home.Exists(ctx, address)
	if err != nil { // A connection may break once; what never was a home would be passed over for a minute.
		there, err = home.Exists(ctx, address)
	}
	switch {
	case note == "":
		return err == nil && there
	case err != nil:
		writeHomeNote(away, parsed.String())
		return FileExists(note)
	case there:
		writeHomeNote(note, parsed.String())
	default:
		_ = os.Remove(note)
	}
	_ = os.Remove(away)
	return there
}

// isYounger reports whether a file was written less than so long ago. A time that is further ahead is from before the clock was set
// back, and says nothing.
func isYounger(path string, age time.Duration) bool {
	info, err := os.Lstat(path)
	return err == nil && time.Since(info.ModTime()).Abs() < age
}

// writeHomeNote writes down what is known of a server. Without it the server is asked again.
func writeHomeNote(path, place string) {
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		_ = os.WriteFile(path, []byte(place+"\n"), 0o600)
	}
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
	"slice":   {"it copies rows with the tables of a file", "export the conversations, or pg_dump the schema home"},
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
