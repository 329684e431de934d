package openclaw

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Locations is where things were looked for and found.
type Locations struct {
	StateDir string
	Database string
	FilesDir string
	// Places are the places that were asked for the database, in order; the last
	// one gave it.
	Places []Place
	// Host is the host's configuration, and HostErr what of it can't be read.
	Host    Config
	HostErr error
}

// Place is one place and what it said.
type Place struct {
	Where string // "--db", "LCM_DATABASE_PATH", a configuration file, …
	Value string // The path, or empty where it gave none.
}

// Getenv reads an environment variable, like os.Getenv.
type Getenv func(string) string

// filesFolder is the name of the folder of large files beside a database.
const filesFolder = "lcm-files"

// stateFolderPlace is the number of the place that is asked last, from 1.
const stateFolderPlace = 4

// Locate finds the database: flag, environment, OpenClaw's configuration, then
// lcm.db in the state folder; where that isn't there, the database of this program itself. Its paths are absolute. It touches no database file. The error is that of
// a configuration that can't be read; the locations are good nevertheless.
func Locate(dbFlag, stateFlag string, env Getenv) (Locations, error) {
	l := Locations{StateDir: stateDir(stateFlag, env)}
	l.Host, l.HostErr = ReadConfig(l.StateDir, env)
	look := func(where, value string) bool {
		l.Places = append(l.Places, Place{where, value})
		l.Database = value
		return value != ""
	}
	_ = look("--db", ExpandHome(dbFlag, env)) ||
		look("LCM_DATABASE_PATH", ExpandHome(env("LCM_DATABASE_PATH"), env)) ||
		look(l.Host.Path, l.Host.path(env, "dbPath", "databasePath")) ||
		look("state folder", filepath.Join(l.StateDir, databaseName))
	if own := OwnDatabase(env); len(l.Places) == stateFolderPlace && !isThere(l.Database) && isThere(own) {
		look("own database", own)
	}
	l.FilesDir = l.filesDir(env)
	for _, path := range []*string{&l.StateDir, &l.Database, &l.FilesDir} {
		if whole, err := filepath.Abs(*path); err == nil { // Stored paths are whole.
			*path = whole
		}
	}
	var bad *ConfigError
	if dbFlag != "" || env("LCM_DATABASE_PATH") != "" || !errors.As(l.HostErr, &bad) {
		return l, nil // The configuration wasn't needed, or could be read.
	}
	return l, l.HostErr
}

// stateDir returns the folder of the host's state.
func stateDir(flag string, env Getenv) string {
	for _, d := range []string{flag, env("LCM_OPENCLAW_DIR"), env("OPENCLAW_STATE_DIR")} {
		if d = strings.TrimSpace(d); d != "" {
			return ExpandHome(d, env)
		}
	}
	if h := strings.TrimSpace(env("OPENCLAW_HOME")); h != "" {
		return filepath.Join(ExpandHome(h, env), ".openclaw")
	}
	return filepath.Join(HomeFolder(env), ".openclaw")
}

// configPath returns where OpenClaw's configuration is.
func configPath(stateDir string, env Getenv) string {
	if path := ExpandHome(env("OPENCLAW_CONFIG_PATH"), env); path != "" {
		return path
	}
	return filepath.Join(stateDir, "openclaw.json")
}

// filesDir returns where the host keeps large files: as it is configured, or beside the
// database.
func (l Locations) filesDir(env Getenv) string {
	for _, d := range []string{env("LCM_LARGE_FILES_DIR"), l.Host.path(env, "largeFilesDir")} {
		if d != "" {
			return ExpandHome(d, env)
		}
	}
	beside := filepath.Join(filepath.Dir(l.Database), filesFolder)
	if info, err := os.Stat(beside); err == nil && info.IsDir() || l.Database == OwnDatabase(env) {
		return beside
	}
	return filepath.Join(l.StateDir, filesFolder)
}
