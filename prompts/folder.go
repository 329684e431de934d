package prompts

import (
	"os"
	"path/filepath"
	"runtime"
)

// EnvFolder is the environment variable that names a folder of templates.
const EnvFolder = "LCM_PROMPT_DIR"

// Open finds the user's templates: first in folder, or else in the one that
// LCM_PROMPT_DIR names, then in the user's configuration. A folder that was named
// must be there. Getenv reads an environment variable, like os.Getenv.
func Open(folder string, getenv func(string) string) (*Set, error) {
	s := new(Set)
	if folder == "" {
		folder = getenv(EnvFolder)
	}
	if folder != "" {
		path, err := checked(folder)
		if err != nil {
			return nil, &FolderError{Path: folder, Err: err}
		}
		s.folders = append(s.folders, path)
	}
	if own := UserFolder(getenv); own != "" {
		s.folders = append(s.folders, own)
	}
	return s, nil
}

// checked is the whole path of a folder that is there.
func checked(folder string) (string, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "open", Path: path, Err: errNoFolder}
	}
	return path, err
}

// UserFolder is where a user keeps templates: lcm-tui/prompts in the folder for
// configuration, as in the reference program. It may not exist; it is empty where
// there is no such folder. The environment is asked, and not the process's own, so
// that one run can stand for any user.
func UserFolder(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = below(getenv("HOME"), ".config")
		if runtime.GOOS == "windows" {
			base = getenv("APPDATA")
		}
	}
	return below(base, "lcm-tui", "prompts")
}

// below is a path in a folder, or nothing without the folder.
func below(base string, names ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, names...)...)
}
