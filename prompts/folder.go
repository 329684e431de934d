package prompts

import (
	"os"
	"path/filepath"
	"runtime"

	"lcm-tui/internal/hint"
)

// EnvFolder is the environment variable that names a folder of templates.
const EnvFolder = "LCM_PROMPT_DIR"

// Open finds the user's templates: first in folder or, where that is empty, in the folder
// of LCM_PROMPT_DIR, then in the user's configuration. A folder that is named must exist.
// getenv reads an environment variable, like os.Getenv.
func Open(folder string, getenv func(string) string) (*Set, error) {
	s := new(Set)
	if folder == "" {
		folder = getenv(EnvFolder)
	}
	if folder != "" {
		path, err := existingFolder(folder)
		if err != nil {
			return nil, &hint.Error{Text: "open the folder of templates: " + err.Error(), Next: "check --prompt-dir and LCM_PROMPT_DIR; lcm-tui prompts export DIR makes such a folder", Err: err}
		}
		s.folders = append(s.folders, path)
	}
	if own := UserFolder(getenv); own != "" {
		s.folders = append(s.folders, own)
	}
	return s, nil
}

// existingFolder returns the absolute path of a folder that exists.
func existingFolder(folder string) (string, error) {
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

// UserFolder returns the folder of a user's own templates: lcm-tui/prompts in the folder for
// configuration, as in the reference program. It may not exist; it is empty where the user
// has no folder for configuration. It is found with getenv only, so that tests can choose
// the user.
func UserFolder(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		base = joinBelow(getenv("HOME"), ".config")
		if runtime.GOOS == "windows" {
			base = getenv("APPDATA")
		}
	}
	return joinBelow(base, "lcm-tui", "prompts")
}

// joinBelow returns a path in a folder, or empty without the folder.
func joinBelow(base string, names ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, names...)...)
}
