package main_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// module is the path under which our own packages are imported.
const module = "lcm-tui"

// importTable says who may import whom of our own packages. A package without a row
// here fails; so does one that imports past its row. "x/*" is every package
// below x, and the root package is ".".
var importTable = map[string]string{
	".": "cli cli/commands",
	// What all commands share: flags, output, errors, exit codes, completion and the run of a command.
	// What is masked before a model gets a text depends on the project, which imports name.
	"cli": "clients ops work ops/backfill ops/diff ops/planfile ops/prune/proof ops/prune/selector ops/repair ops/secrets ui views data data/* data/postgres/home data/postgres/reading engine/* prompts clients/install internal/parallel internal/plural internal/sorting internal/outcome internal/hint internal/eventlog fleet ui/userconfig ops/describe internal/nearest work/unit",
	// A room has one file a command. It knows what commands share and no other room, so that a command is read
	// without the others; only their composition names them all.
	"cli/commands": "cli cli/*",
	"cli/read":     "cli ops ops/diff ops/backfill ops/diff/filepair ops/prune/selector ops/sessionkey ui data data/lcm data/openclaw engine/* internal/leftover internal/parallel internal/plural internal/sorting internal/hint",
	"cli/change":   "cli clients ops ops/* ui ui/userconfig data data/change data/fileidentity data/lcm data/sessiondb data/transcript engine/* clients/install clients/install/handshake internal/hint internal/plural internal/sorting internal/outcome",
	"cli/clean":    "cli ops ops/* ui data data/change data/destination data/fileidentity data/lcm engine/redact engine/search internal/atomicfile internal/parallel internal/plural internal/outcome internal/hint work data/openclaw data/pagestream data/sessiondb",
	// The screens are started beside the databases among which the user chooses.
	"cli/hosts":  "cli clients work ui ui/userconfig views views/screens data data/lcm data/openclaw data/postgres data/postgres/home engine/* internal/demo internal/leftover internal/parallel internal/plural internal/hint",
	"cli/agents": "cli clients clients/diagnose clients/hook clients/hooktest ops ops/backfill ops/compact ops/follow ops/promote metrics data/postgres work work/pass internal/detached internal/eventlog internal/parallel internal/regularfile ui ui/userconfig data data/lcm data/openclaw data/promoted data/transcript engine/* prompts mcp clients/install internal/plural internal/sorting internal/hint work/* internal/loopback",
	// The list of databases and the screen of machines show the copies of other machines.
	"views": "fleet ui ui/shell ops ops/* engine/* data data/* internal/parallel internal/plural internal/sorting internal/atomicfile",
	// No package of screens imports another: they open each other's by views.Screens.
	"views/*":       "views ui ui/shell ops ops/* engine/* data data/* internal/parallel internal/plural internal/sorting internal/atomicfile internal/hint internal/outcome",
	"views/screens": "views views/*",
	// What hooks noted beside the database is shown as it is noted.
	"views/memory":   "views ui data data/lcm data/promoted engine/settings engine/summarize internal/plural ops/backfill ops/follow ops/promote work",
	"views/fleet":    "views ui fleet engine/integrity internal/plural",
	"views/viewtest": "internal/characters views fleet ui ui/shell data data/* engine/* ops/* internal/fakehost internal/faults internal/samples internal/testdb internal/sorting",
	// Screens are made of ui, which doesn't know the program that shows them.
	"ui": "internal/characters internal/outcome",
	// A user's keys and colours are read without the screens: what actions these have stands in a table.
	"ui/userconfig": "ui",
	"ui/shell":      "ui internal/hint internal/outcome internal/parallel internal/plural internal/sorting",
	// The undo of a set is a rule of ops/prune/removal, or a restore from the trash.
	"ops":   "data data/lcm data/change ops/prune/proof ops/prune/removal ops/trash engine/assemble internal/plural internal/outcome internal/hint",
	"ops/*": "ops ops/trash engine/* data data/* internal/parallel internal/plural internal/sorting internal/filesystem internal/hint",
	// The description of a large file has a template of its own.
	"ops/describe": "ops prompts engine/explore engine/summarize data data/change data/lcm internal/hint internal/plural",
	// What a repair leaves behind is built apart from what it finds and decides.
	"ops/repair":   "ops ops/repair/draft engine/* data data/* internal/filesystem internal/plural internal/sorting internal/hint",
	"ops/repair/*": "data data/lcm data/change internal/sorting",
	// A cleaning has its statements, its rules and its operation in one room. It imports no other, but
	// what it removes goes into the trash, which is copied like a slice.
	"ops/prune":          "ops ops/prune/* ops/space ops/trash engine/hostactivity engine/ingest engine/pieces engine/search engine/summarize engine/token data data/columntexts data/lcm data/change internal/plural internal/filesystem internal/hint",
	"ops/prune/removal":  "ops/trash data data/lcm data/change data/jstext internal/hint",
	"ops/prune/proof":    "ops/prune/removal engine/pieces engine/search data data/columntexts data/fileidentity data/lcm data/promoted internal/atomicfile internal/hint internal/regularfile",
	"ops/prune/selector": "data/lcm internal/plural internal/sorting internal/hint",
	"ops/trash":          "ops/slice data data/lcm data/change data/fileidentity internal/leftover internal/outcome internal/plural internal/sorting internal/hint",
	"ops/slice":          "data data/lcm data/change internal/plural internal/hint",
	// A file is rewritten or replaced while no handle of ours is open on it.
	"ops/reclaim": "data data/change internal/regularfile internal/filesystem internal/outcome internal/hint",
	// A replica is kept equal to the file, whose rows are only read.
	// What the doctor finds at the file goes with the rows. Patterns of session keys are those of prune.
	"ops/replica": "data engine/integrity data/change data/fileidentity data/lcm data/pagestream data/postgres internal/hint internal/outcome internal/parallel internal/sorting ops/prune/selector",
	// A restore says first how the backup and the file differ.
	"ops/restore": "ops/diff data data/lcm data/change data/transcript internal/leftover internal/regularfile internal/filesystem internal/outcome internal/hint",
	// What is left of a damaged file is read without SQLite.
	// What an agent appends is imported as any session file is.
	// A hook keeps what was said, and hands over what is stored; install and the screens don't need it.
	"clients":      "",
	"clients/hook": "clients data data/lcm data/promoted engine/hints engine/redact engine/summarize internal/plural ops ops/backfill ops/follow ops/sessionkey work",
	// Copies of other machines' databases come as streams of pages, by the system's ssh.
	"fleet":           "data data/openclaw data/pagestream data/textsearch engine/integrity internal/atomicfile internal/filesystem internal/hint internal/regularfile",
	"data/pagestream": "data internal/atomicfile internal/regularfile",
	"cli/fleet":       "cli data data/openclaw data/postgres engine/integrity engine/redact fleet internal/hint internal/leftover internal/outcome internal/plural metrics ops ops/planfile ops/replica ui ui/userconfig work/unit",
	// What clients note of hooks and tools is read from their session files alone. A program may print secrets.
	// Hooks are tested as a client runs them: only this package and the handshake start what an entry names.
	"clients/hooktest": "clients clients/install",
	"clients/diagnose": "clients engine/redact internal/parallel internal/regularfile internal/sorting",
	// What is noted beside a database is in another file, of which the store knows nothing.
	"work":      "data data/lcm ops ops/backfill engine/model engine/summarize internal/plural internal/regularfile",
	"work/pass": "data ops work engine/summarize",
	// Numbers come from what is stored; whoever serves them asks who may read them.
	"metrics":     "data data/lcm data/change data/change/losses internal/atomicfile ops/follow work",
	"ops/promote": "ops data data/change data/lcm data/promoted engine/promote engine/summarize internal/plural",
	"ops/follow":  "data data/lcm data/transcript ops/backfill",
	"ops/salvage": "data data/change data/pages internal/hint",
	"ops/space":   "data data/lcm internal/sorting",
	// Which contexts are too full is asked with the settings that compact has.
	"work/pressure": "data data/lcm engine/assemble engine/settings work",
	// What is found by itself is planned as a user would plan it, and never applied.
	"work/checkup": "data data/change/losses engine/integrity internal/plural ops ops/planfile ops/repair work",
	"work/service": "data work work/pass internal/hint internal/loopback internal/plural",
	"work/unit":    "",
	// Two files are compared by statements on one connection.
	"ops/diff":          "ops/diff/filepair engine/integrity data data/lcm data/change internal/leftover internal/plural",
	"ops/diff/filepair": "data",
	// A bundle has the findings of the doctor, the sizes of space, and pseudonyms as an export has.
	"ops/bundle": "ops/slice ops/space engine/export engine/integrity engine/lineage engine/redact engine/settings data data/lcm data/jstext internal/atomicfile internal/leftover internal/regularfile internal/hint",
	// What was replaced is erased from the file's free pages too, as reclaim does.
	"ops/secrets": "ops ops/reclaim engine/* data data/* internal/atomicfile internal/filesystem internal/outcome internal/plural internal/regularfile internal/sorting internal/hint",
	// A plan in a file may be of any operation, which the command line makes of its request. A pipe in
	// the place of the file must not stop who reads it.
	"ops/planfile": "ops data data/lcm data/change data/fileidentity internal/plural internal/regularfile internal/atomicfile internal/hint",
	// Errors are JSON as the host's tools write it, and a panic in one call must not end the others.
	"mcp": "engine/* data data/lcm data/promoted data/jstext internal/eventlog internal/parallel internal/plural internal/sorting internal/atomicfile internal/hint internal/loopback",
	// What registers the server starts nothing and needs none of it.
	"clients/install": "internal/regularfile internal/atomicfile internal/leftover internal/hint",
	// Only what asks a server for its tools starts it.
	"clients/install/handshake": "clients/install",
	// A text with broken bytes has the tokens of what its host reads of it.
	"engine/token":      "data/jstext",
	"engine/thinking":   "data/jstext",
	"engine/lineage":    "data data/lcm internal/sorting",
	"engine/summarize":  "data data/lcm data/jstext engine/assemble engine/thinking engine/token engine/lineage prompts internal/atomicfile",
	"engine/regenerate": "data data/lcm engine/lineage engine/summarize internal/parallel internal/hint",
	"engine/assemble":   "data data/lcm data/jstext engine/token internal/parallel internal/sorting",
	// What holds of all models knows none of them. Only the choice knows all ways to ask.
	"engine/model":            "engine/summarize",
	"engine/model/choose":     "engine/model engine/model/* engine/summarize",
	"engine/model/extractive": "engine/model engine/summarize engine/token internal/sorting",
	"engine/model/programs":   "engine/model engine/summarize",
	"engine/model/retry":      "engine/model engine/summarize engine/thinking engine/token",
	"engine/model/wire":       "engine/model engine/summarize",
	"engine/compact":          "data data/lcm engine/assemble engine/token engine/lineage engine/summarize",
	// The whole text of a message without content is that which its summary was made of.
	"engine/retrieve": "data data/lcm data/jstext data/searchwords data/textsearch engine/jsregexp engine/token engine/summarize internal/plural internal/sorting",
	// A question is answered by what the tools of retrieval return, with a model or without.
	"engine/ask": "data data/lcm data/jstext engine/model engine/provenance engine/retrieve engine/summarize engine/token internal/parallel internal/sorting internal/atomicfile internal/hint",
	// A search comes from screens and commands alike, so it is no part of either.
	// The place of a hit has the summaries above it.
	"engine/search": "data data/lcm data/searchwords data/textsearch engine/lineage engine/summarize internal/parallel internal/sorting",
	// What a prompt is about is found by words alone, as a search finds them.
	"engine/hints": "data data/promoted data/searchwords data/textsearch",
	// What JavaScript means by a regular expression needs nothing of ours.
	"engine/jsregexp": "data/jstext",
	// An exported message is what the host was given, which is rebuilt where messages are assembled.
	"engine/export":  "data data/lcm data/destination data/jstext data/transcript engine/assemble engine/ingest engine/lineage engine/redact internal/regularfile internal/sorting internal/atomicfile internal/leftover internal/hint",
	"engine/promote": "",
	"engine/pieces":  "data/jstext",
	"engine/pending": "data data/jstext data/lcm internal/parallel internal/sorting",
	// What states nothing in a summary is what the summarizer writes around a text.
	"engine/provenance": "data data/lcm data/jstext engine/assemble engine/summarize internal/plural",
	// Whether a host may go on with a conversation is asked by every operation that deletes rows.
	"engine/hostactivity": "data data/lcm data/sessiondb data/transcript engine/identity engine/ingest engine/redact engine/token internal/plural internal/regularfile",
	// A transcript is compared with the messages as a host would store it, by commands, screens and
	// the import alike, so it is no part of any of them.
	"engine/compare": "data data/lcm data/sessiondb data/jstext data/transcript engine/ingest engine/lineage engine/token internal/filesystem internal/plural internal/hint",
	// What is set where is asked by commands and screens alike, so it is no part
	// of either; it fills what the engines take.
	"engine/settings": "data data/lcm data/openclaw engine/compact internal/hint internal/nearest",
	// What is read of a conversation stands apart from the faults that checks find in it.
	"engine/integrity/scan": "data data/lcm engine/token",
	"engine/integrity":      "data data/lcm data/change data/columntexts data/jstext engine/integrity/scan engine/pending engine/token engine/summarize engine/thinking engine/identity engine/redact engine/settings internal/parallel internal/plural data/openclaw data/change/losses internal/sorting",
	// What is stored is JSON as JavaScript writes it, in every place that reads a
	// transcript or a stored block.
	"engine/identity": "data/jstext",
	"engine/explore":  "data/jstext",
	// Secrets stand in JSON as JavaScript writes it.
	"engine/redact": "data/jstext internal/sorting internal/hint",
	"engine/ingest": "data data/lcm data/jstext engine/assemble engine/explore engine/identity engine/token",
	"data":          "data/jstext data/pages internal/leftover internal/parallel internal/regularfile internal/sorting internal/atomicfile internal/filesystem internal/outcome internal/hint",
	// Rows are read noun by noun, and written with their records, apart from the file that has them.
	"data/lcm":    "data internal/hint internal/parallel internal/sorting internal/regularfile",
	"data/change": "data data/lcm internal/parallel internal/sorting internal/filesystem internal/outcome internal/hint",
	// What hosts did after a write is found in the records of the writer, which doesn't need it.
	"data/change/losses": "data data/change internal/sorting",
	// What something was made for is asked before it is written, and not by the writer.
	"data/fileidentity": "data",
	// The host's configuration is read without its database.
	"data/openclaw": "internal/filesystem internal/regularfile internal/sorting internal/hint",
	// The images of rows in records are JSON.
	"data/columntexts": "data data/lcm data/change data/jstext internal/parallel",
	"data/pages":       "",
	// The statements of searching stand apart from the reads of one noun each.
	"data/textsearch": "data data/lcm",
	"data/jstext":     "",
	// Texts are split into words alike by the search and by what fills the index of a replica.
	"data/searchwords": "",
	// Entries that outlive conversations stand in a table that no host knows.
	"data/promoted": "data",
	// A replica in a server keeps rows of files; who reads files and decides what is sent stands above it.
	"data/postgres": "data data/searchwords internal/hint",
	// The language of statements is translated without a server, and a source is opened as a database for everything that reads one.
	"data/postgres/translate": "",
	"data/postgres/reading":   "data data/postgres data/postgres/translate internal/hint",
	"data/postgres/home":      "data data/postgres data/postgres/reading data/postgres/translate internal/hint",
	// Where a named file may be written is asked by commands, screens and exports alike.
	"data/destination": "data data/lcm data/openclaw internal/regularfile internal/hint",
	// A transcript database is opened by the driver that data registers, and what goes wrong
	// with it has the words that data has for SQLite's errors.
	"data/sessiondb":    "data internal/leftover internal/regularfile internal/sorting",
	"data/sessiontexts": "data data/sessiondb internal/regularfile",
	// A session's transcript is read alike from a file and from a transcript database.
	"data/transcript": "data/sessiondb data/jstext internal/regularfile internal/hint",
	"prompts":         "internal/atomicfile internal/hint",
	// What plays the host is another program: it shares nothing with ours but how a
	// message is known again, and it writes with SQL of its own.
	"internal/fakehost": "engine/identity",
	"internal/demo":     "internal/fakehost internal/sorting",
	"internal/faults":   "internal/fakehost",
	"internal/samples":  "internal/demo internal/fakehost internal/faults internal/foldercache",
	// How long tests may take is known to those of all packages.
	"internal/testlength": "",
	"internal/testdb":     "internal/testlength data data/lcm data/change internal/fakehost internal/faults internal/foldercache internal/samples internal/filesystem data/transcript engine/ingest engine/token",
	// What is logged is known to those who log it.
	"internal/eventlog": "",
	// Tests of single commands run the whole program.
	"internal/testcli": "cli cli/commands internal/testdb",
	// What plays a vendor shares nothing with what asks one.
	"internal/fakevendor": "engine/summarize",
	// Tests of what a server keeps start one.
	"internal/testpostgres": "",
	"internal/testreplica":  "data data/postgres internal/testpostgres ops/replica",
	"internal/testhome":     "data data/change data/lcm data/postgres data/postgres/home engine/identity engine/token internal/testpostgres",
	"internal/terminal":     "",
	// Work that a client must not wait for outlives the process that began it.
	"internal/detached": "",
	// A pipe in the place of a file must stop nobody who reads files of others.
	"internal/leftover":    "internal/hint",
	"internal/regularfile": "internal/leftover",
	// Who has a file open is asked by whatever writes or replaces it.
	"internal/filesystem": "",
	// Servers for programs of this machine let in who has the token, all in the same way.
	"internal/loopback": "internal/atomicfile",
	// Who writes a file beside others writes it in the same way.
	"internal/atomicfile": "internal/leftover internal/regularfile",
	// A panic in a goroutine is seen to where the work was begun, in every package that
	// has goroutines.
	"internal/parallel": "",
	// Whoever changes something that stays notes it, and whoever reports an error says it.
	"internal/outcome": "internal/hint internal/parallel",
	// A plan, a finding, a screen and a command write numbers with their nouns alike.
	"internal/plural": "",
	// An error that nobody asks for by its type names the next step alike in every package.
	"internal/hint": "",
	// A command, a flag and a setting are suggested alike where one is mistyped.
	"internal/nearest": "",
	// Generic functions of a library are compiled once, and left out of what the race detector watches.
	"internal/characters": "",
	// Samples and fixtures are made once on a machine.
	"internal/foldercache": "",
	// Slices of structs are sorted by one copy of the code.
	"internal/sorting":    "",
	"internal/lazyregexp": "",
	// Tools run the whole program. Nothing imports them.
	"tools/packfixtures": "internal/atomicfile",
	"tools/bench":        "internal/demo internal/fakehost internal/regularfile internal/terminal",
	"tools/pictures":     "internal/demo internal/terminal",
}

// free is what every package may import, as the standard library: regular expressions that are compiled at their first use.
const free = "internal/lazyregexp"

// reserved says which packages alone may import something from outside. Tests
// are free. internal/fakehost plays the host program and internal/testdb looks at what
// stands in a file, so they read and write as another program would and not through our writer.
var reserved = map[string]string{
	// ops/salvage writes files that have no tables yet, which the store can't open;
	// data/sessiondb reads a database that has none of the store's tables; ops/slice writes a new
	// file from one that is attached to it, and ops/trash adds a table to that.
	// ops/replica writes a new file from rows of a server.
	// ops/reclaim and ops/restore rewrite a file that no handle of the store has open.
	"database/sql":              "data data/change data/lcm data/pagestream data/postgres data/postgres/home data/postgres/reading data/promoted data/sessiondb data/sessiontexts ops/reclaim ops/replica ops/restore ops/salvage ops/slice ops/trash work internal/fakehost internal/testdb",
	"modernc.org/":              "data internal/fakehost",
	"charm.land/":               ". cli cli/hosts cli/read ui ui/* views views/*",
	"github.com/spf13/cobra":    "cli cli/*",
	"github.com/sergi/go-diff/": "ops",
	// A template can call every exported method of its values, so only what fills in prompts has templates,
	// and hands them values without methods.
	"text/template": "prompts",
	"html/template": "",
	// Models are asked over the network, and agents may ask over the loopback.
	"net/http": "engine/model/wire internal/fakevendor mcp metrics internal/loopback work/service",
	// The command line brings the user's editor to the screens, which run nothing.
	"os/exec":                              "cli cli/hosts clients/hooktest clients/install/handshake engine/model/programs fleet internal/detached internal/terminal internal/testpostgres tools/bench tools/packfixtures tools/pictures",
	"github.com/cenkalti/backoff/":         "engine/model/retry",
	"github.com/jackc/":                    "data/postgres data/postgres/home data/postgres/reading internal/testpostgres",
	"github.com/modelcontextprotocol/":     "mcp",
	"github.com/charmbracelet/x/vt":        "internal/terminal",
	"github.com/charmbracelet/ultraviolet": "internal/terminal",
	"github.com/creack/pty":                "internal/terminal",
	"github.com/klauspost/compress/":       "data/sessiondb data/pagestream internal/testdb",
	"github.com/fsnotify/fsnotify":         "ops/follow",
	"github.com/gofrs/flock":               "work fleet",
	"github.com/prometheus/":               "cli/agents metrics",
	"github.com/coreos/go-systemd/":        "work/service",
	// Configurations of clients are edited in place; rules for secrets are TOML, too.
	"github.com/tailscale/hujson": "clients/install",
	"github.com/pelletier/":       "engine/redact clients/install ui/userconfig",
}

// pkg is what go list says about one of our packages.
type pkg struct {
	ImportPath, Dir, Name, Doc                                   string
	Imports                                                      []string
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
}

// short returns the path within the module, "." for the root.
func (p pkg) short() string { return pathInModule(p.ImportPath) }

// code lists the files that are built into a program on some system.
func (p pkg) code() (files []string) {
	for _, f := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles) {
		if !strings.HasSuffix(f, "_test.go") {
			files = append(files, filepath.Join(p.Dir, f))
		}
	}
	return files
}

// packages runs go list once for all tests.
var packages = sync.OnceValues(func() ([]pkg, error) {
	out, err := exec.Command("go", "list", "-e", "-json", "./...").Output()
	if err != nil {
		return nil, err
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

func listPackages(t *testing.T) []pkg {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if len(all) == 0 {
		t.Fatal("go list found no package")
	}
	return all
}

// pathInModule shortens a path of ours to its place in the module.
func pathInModule(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}

// allowedImports finds the entry for a package: its own, or that of all its siblings.
func allowedImports(p string) (allowed string, ok bool) {
	if allowed, ok = importTable[p]; ok {
		return allowed, ok
	}
	i := strings.LastIndex(p, "/")
	if i < 0 {
		return "", false
	}
	allowed, ok = importTable[p[:i]+"/*"]
	return allowed, ok
}

// hasName says whether a list of packages names p.
func hasName(names, p string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(n string) bool {
		all, wild := strings.CutSuffix(n, "*")
		return n == p || wild && strings.HasPrefix(p, all)
	})
}

func TestImports(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		from := p.short()
		allowed, ok := allowedImports(from)
		if !ok {
			t.Errorf("package %s has no row in arch_test.go: say there what it may import", from)
			continue
		}
		for _, path := range p.Imports {
			if path == module || strings.HasPrefix(path, module+"/") {
				if to := pathInModule(path); to != free && !hasName(allowed, to) {
					t.Errorf("package %s imports %s; of ours it may import only: %s", from, to, namesOrNone(allowed))
				}
				continue
			}
			if who, ok := reservedFor(path); ok && !hasName(who, from) {
				t.Errorf("package %s imports %s, which is reserved for: %s", from, path, namesOrNone(who))
			}
		}
	}
}

// TestKeysAreReadInOnePlace: a key is read where it is put into the header of a request, and in no
// other package but that of its type.
func TestKeysAreReadInOnePlace(t *testing.T) {
	t.Parallel()
	eachFile(t, func(set *token.FileSet, f *ast.File) {
		if f.Name.Name == "wire" || !slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"`+module+`/engine/model"` }) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Reveal" {
				t.Errorf("%s: only engine/model/wire reads keys", positionText(set.Position(s.Pos())))
			}
			return true
		})
	})
}

// TestRegularExpressionsAreCompiledLate: what a package compiles when the program starts, every command waits for.
func TestRegularExpressionsAreCompiledLate(t *testing.T) {
	t.Parallel()
	eachFile(t, func(set *token.FileSet, f *ast.File) {
		if f.Name.Name == "lazyregexp" || f.Name.Name == "viewtest" || strings.HasPrefix(relativePath(set.Position(f.Pos()).Filename), "tools/") {
			return
		}
		for _, d := range f.Decls {
			variables, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			ast.Inspect(variables, func(n ast.Node) bool {
				if _, later := n.(*ast.FuncLit); later {
					return false
				}
				if s, ok := n.(*ast.SelectorExpr); ok && (s.Sel.Name == "MustCompile" || s.Sel.Name == "MustCompilePOSIX") {
					t.Errorf("%s: use internal/lazyregexp", positionText(set.Position(s.Pos())))
				}
				return true
			})
		}
	})
}

// reservedFor finds the packages that a package from outside is reserved for: those of the
// longest path in the table that it lies below.
func reservedFor(path string) (who string, ok bool) {
	longest := ""
	for prefix := range reserved {
		if hasPath(path, prefix) && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	who, ok = reserved[longest]
	return who, ok
}

// hasPath says whether path is prefix or lies below it.
func hasPath(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, strings.TrimSuffix(prefix, "/")+"/")
}

func namesOrNone(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func TestPackageNames(t *testing.T) {
	t.Parallel()
	vague := []string{"util", "utils", "common", "helper", "helpers", "types", "misc", "base", "shared"}
	for _, p := range listPackages(t) {
		if p.Doc == "" {
			t.Errorf("package %s has no doc comment: say what it is and what it must not do", p.short())
		}
		if slices.Contains(vague, p.Name) || slices.Contains(vague, filepath.Base(p.ImportPath)) {
			t.Errorf("package %s: the name does not say what it is", p.short())
		}
	}
}

// TestLibcVersion: the SQLite driver is translated C and works with exactly the
// libc that it was released with, which the go command does not know.
func TestLibcVersion(t *testing.T) {
	t.Parallel()
	var driver struct{ Version, GoMod string }
	runGoList(t, &driver, "list", "-m", "-json", "modernc.org/sqlite")
	want := required(t, driver.GoMod, "modernc.org/libc")
	if got := required(t, "go.mod", "modernc.org/libc"); got != want {
		t.Errorf("go.mod requires modernc.org/libc %s, but modernc.org/sqlite %s was released with %s", got, driver.Version, want)
	}
}

// required returns the version of a module that a go.mod file asks for.
func required(t *testing.T, file, path string) string {
	t.Helper()
	var mod struct {
		Require []struct{ Path, Version string }
	}
	runGoList(t, &mod, "mod", "edit", "-json", file)
	for _, r := range mod.Require {
		if r.Path == path {
			return r.Version
		}
	}
	t.Fatalf("%s does not require %s", file, path)
	return ""
}

// runGoList runs the go command and decodes what it prints.
func runGoList(t *testing.T, into any, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", args...).Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
}

// machinePath matches paths that exist only where something was built: a work
// folder at the root of the file system, root's home, caches of the go command.
var machinePath = regexp.MustCompile(`(?:^|[^\w.}$%*~/-])/(?:(?:work|farm|root)/[\w.]|home/\w+/(?:go/|\.cache/|work/)|Users/\w+/(?:go/|Library/Caches/)|tmp/(?:go-build|bash_jobs))`)

func TestNoMachinePaths(t *testing.T) {
	t.Parallel()
	for _, file := range trackedFiles(t) {
		b, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b) || slices.Contains(b, 0) {
			continue // not text
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			n++
			if m := machinePath.FindString(line); m != "" {
				t.Errorf("%s:%d: a path of the machine it was built on: %q", file, n, m)
			}
		}
	}
}

func TestMachinePathPattern(t *testing.T) {
	t.Parallel()
	slash := func(s string) string { return strings.ReplaceAll(s, "|", "/") }
	for s, want := range map[string]bool{
		"see |work|main.go":           true,
		`"|root|.openclaw"`:           true,
		"(|home|ann|go|pkg|mod)":      true,
		"|home|ann|notes.txt":         false,
		"~|work|main":                 false,
		"https:||example.org|work|a":  false,
		"$HOME|work|x":                false,
		"the folder |root| of a disk": false,
	} {
		if got := machinePath.MatchString(slash(s)); got != want {
			t.Errorf("%q: flagged %v, want %v", slash(s), got, want)
		}
	}
}

// trackedFiles lists what is in the repository or would be with the next commit; where
// there is no git, everything that stands in visible folders.
func trackedFiles(t *testing.T) (out []string) {
	t.Helper()
	b, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err == nil && len(b) > 0 {
		return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
	}
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || strings.HasPrefix(d.Name(), "dist")):
			return filepath.SkipDir
		case d.Type().IsRegular():
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
