package openclaw

import (
	"os"
	"path/filepath"
	"runtime"
)

// programFolder is the name of the folders of this program.
const programFolder = "lcm-tui"

// OwnDatabase returns where the database of this program itself lies, for agents that have no host of
// their own: lcm.db in the user's folder for data. It is empty where there is no such folder.
func OwnDatabase(env Getenv) string {
	base := userFolder(env, "XDG_DATA_HOME", ".local", "share")
	if base == "" {
		return ""
	}
	return filepath.Join(base, programFolder, databaseName)
}

// OwnState returns the folder in which this program keeps what it notes beside databases, in the user's
// folder for state. It is empty where there is no such folder.
func OwnState(env Getenv) string {
	base := userFolder(env, "XDG_STATE_HOME", ".local", "state")
	if base == "" {
		return ""
	}
	return filepath.Join(base, programFolder)
}

// userFolder returns the folder that a variable names, else the usual one below the home folder.
func userFolder(env Getenv, variable string, below ...string) string {
	if base := env(variable); filepath.IsAbs(base) {
		return base
	}
	if runtime.GOOS == "windows" {
		return env("LOCALAPPDATA")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(append([]string{home}, below...)...)
	}
	return ""
}

// LocateOwn returns the locations of the database of this program itself, or of the one that a flag or
// LCM_DATABASE_PATH names: what agents without a host use. It never returns that of a host which nobody
// named. Database is empty where there is no folder for it. The settings are those of a host all the same, whose folder a
// flag may name.
func LocateOwn(dbFlag, stateFlag string, env Getenv) (Locations, error) {
	if dbFlag != "" || env("LCM_DATABASE_PATH") != "" {
		return Locate(dbFlag, stateFlag, env)
	}
	own := OwnDatabase(env)
	l := Locations{StateDir: stateDir(stateFlag, env), Database: own, Places: []Place{{"own database", own}}}
	l.Host, l.HostErr = ReadConfig(l.StateDir, env)
	if own != "" {
		l.FilesDir = filepath.Join(filepath.Dir(own), filesFolder)
	}
	return l, nil
}

// isThere reports whether there is something at a path.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return path != "" && err == nil
}
