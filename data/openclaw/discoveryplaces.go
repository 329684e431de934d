package openclaw

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"lcm-tui/internal/regularfile"
)

// The names of databases, and of the programs that keep them.
const (
	databaseName        = "lcm.db"
	projectDatabaseName = "db.sqlite" // Of lossless-claude.

	// LosslessClaude is the program of that name.
	LosslessClaude = "lossless-claude"

	programOpenClaw = "OpenClaw"
	programPi       = "Pi"
	programNanoClaw = "NanoClaw"
	programHermes   = "Hermes"
	programOwn      = "lcm-tui"
)

// isAbsent reports whether an error says that nothing is there.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// ofEnvironment adds the databases that Locate would find: that of the environment, that of
// the state folder in force, and that of this program itself.
func (d *discoverer) ofEnvironment() {
	if path := ExpandHome(d.Env("LCM_DATABASE_PATH"), d.Env); path != "" {
		d.named(Database{Path: path, Found: "LCM_DATABASE_PATH"})
	}
	d.ofState(stateDir(d.StateDir, d.Env))
	if own := OwnDatabase(d.Env); own != "" {
		d.search(programOwn, own, func() { d.probe(Database{Path: own, Program: programOwn, Found: programOwn}) })
	}
}

// ofState adds the databases of the state folder in force: the one that its configuration names,
// even if it isn't there, and lcm.db.
func (d *discoverer) ofState(state string) {
	state = absolute(state)
	host, err := ReadConfig(state, d.Env)
	d.problem(host.Path, err)
	if configured := host.path(d.Env, "dbPath", "databasePath"); configured != "" {
		d.named(Database{Path: configured, Program: programOpenClaw, Found: host.Path, StateDir: state, host: host})
	}
	path := filepath.Join(state, databaseName)
	d.search("state folder", path, func() {
		d.probe(Database{Path: path, Program: programOpenClaw, Found: "state folder", StateDir: state, host: host})
	})
}

// search runs find and notes how many files it found.
func (d *discoverer) search(where, path string, find func()) {
	before := d.files
	find()
	d.Searched = append(d.Searched, Searched{where, path, d.files - before})
}

// ofHome adds the databases that lie in their usual places below the home folder, and those of
// the NanoClaw projects around the working folder.
func (d *discoverer) ofHome() {
	home := d.Env("HOME")
	if home == "" {
		home = d.Env("USERPROFILE")
	}
	if home == "" {
		d.ofNanoClaw("", nil)
		return
	}
	home = absolute(home)
	folders := d.folders(home)
	d.search(programOpenClaw, filepath.Join(home, ".openclaw*", databaseName), func() { d.ofProfiles(home, folders) })
	pi := filepath.Join(home, ".pi", "agent", "extensions", "lossless-claw", databaseName)
	d.search(programPi, pi, func() { d.probe(Database{Path: pi, Program: programPi, Found: programPi}) })
	d.ofNanoClaw(home, folders)
	projects := filepath.Join(home, ".lossless-claude", "projects")
	d.search(LosslessClaude, filepath.Join(projects, "*", projectDatabaseName), func() { d.ofProjects(projects) })
	hermes := absolute(cmp.Or(ExpandHome(d.Env("HERMES_HOME"), d.Env), filepath.Join(home, ".hermes")))
	d.search(programHermes, filepath.Join(hermes, "**", databaseName), func() { d.walk(hermes) })
}

// ofProfiles adds the databases of every other state folder in the home folder: ~/.openclaw,
// those of profiles, and copies of any of them.
func (d *discoverer) ofProfiles(home string, folders []string) {
	inForce := absolute(stateDir(d.StateDir, d.Env))
	for _, name := range folders {
		state := filepath.Join(home, name)
		if !strings.HasPrefix(name, ".openclaw") || state == inForce {
			continue
		}
		host, err := readConfig(state, filepath.Join(state, "openclaw.json"), d.Env)
		d.problem(host.Path, err)
		if configured := host.path(d.Env, "dbPath", "databasePath"); configured != "" {
			d.probe(Database{Path: configured, Program: programOpenClaw, Found: host.Path, StateDir: state, host: host})
		}
		d.probe(Database{Path: filepath.Join(state, databaseName), Program: programOpenClaw, Found: "state folder", StateDir: state, host: host})
	}
}

// inNanoClaw is where a NanoClaw project, or a group of it, keeps its database.
var inNanoClaw = filepath.Join("data", "lossless-claw", databaseName)

// ofNanoClaw adds the databases of NanoClaw projects: the working folder and those above it, and
// the folders in the home folder that are called so.
func (d *discoverer) ofNanoClaw(home string, folders []string) {
	if d.WorkDir != "" {
		d.search(programNanoClaw+", here and above", filepath.Join(absolute(d.WorkDir), inNanoClaw), func() {
			for _, project := range foldersAbove(absolute(d.WorkDir)) {
				d.ofNanoClawProject(project)
			}
		})
	}
	if home == "" {
		return
	}
	d.search(programNanoClaw, filepath.Join(home, "*nanoclaw*", inNanoClaw), func() {
		for _, name := range folders {
			if isNanoClaw(name) {
				d.ofNanoClawProject(filepath.Join(home, name))
			}
		}
	})
}

func isNanoClaw(name string) bool { return strings.Contains(strings.ToLower(name), "nanoclaw") }

// ofNanoClawProject adds the database of a project, and those of its groups.
func (d *discoverer) ofNanoClawProject(project string) {
	found := d.probe(Database{Path: filepath.Join(project, inNanoClaw), Program: programNanoClaw, Found: programNanoClaw, Project: project})
	if !found && !isNanoClaw(filepath.Base(project)) {
		return // Folders called groups are in projects of other kinds, too.
	}
	groups := filepath.Join(project, "groups")
	for _, name := range d.folders(groups) {
		group := filepath.Join(groups, name)
		d.probe(Database{Path: filepath.Join(group, inNanoClaw), Program: programNanoClaw, Found: programNanoClaw, Project: group})
	}
}

// foldersAbove returns a folder and all above it, from the inside out.
func foldersAbove(folder string) (out []string) {
	for {
		out = append(out, folder)
		if filepath.Dir(folder) == folder {
			return out
		}
		folder = filepath.Dir(folder)
	}
}

// ofProjects adds the databases of lossless-claude, which has one for each project.
func (d *discoverer) ofProjects(folder string) {
	for _, name := range d.folders(folder) {
		project := filepath.Join(folder, name)
		path := filepath.Join(project, projectDatabaseName)
		if _, err := os.Lstat(path); isAbsent(err) {
			continue
		}
		d.probe(Database{Path: path, Program: LosslessClaude, Found: LosslessClaude, Project: ProjectOf(project, d.WorkDir)})
	}
}

// ProjectOf returns the project whose memory lossless-claude keeps in a folder: what its meta.json
// says, or the working folder or one above it, if the folder is called by its hash, or the path
// of which the folder's name is made. It is empty where none of these is known.
func ProjectOf(folder, workDir string) string {
	var meta struct {
		Cwd     string `json:"cwd"`
		Project string `json:"projectPath"`
	}
	if b, err := regularfile.Read(filepath.Join(folder, "meta.json"), maxMeta); err == nil && json.Unmarshal(b, &meta) == nil {
		for _, path := range []string{meta.Cwd, meta.Project} {
			if path != "" {
				return path
			}
		}
	}
	name := filepath.Base(folder)
	if workDir != "" {
		for _, above := range foldersAbove(absolute(workDir)) {
			if sum := sha256.Sum256([]byte(above)); hex.EncodeToString(sum[:]) == name {
				return above
			}
		}
	}
	if strings.HasPrefix(name, "-") {
		if path := strings.ReplaceAll(name, "-", "/"); isFolder(path) {
			return path
		}
	}
	return ""
}

// maxMeta is how many bytes of a meta.json are read.
const maxMeta = 1 << 20

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
