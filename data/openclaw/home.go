package openclaw

import (
	"path/filepath"
	"strings"
)

// HomeFolder returns the user's home folder as the environment names it; "." where it doesn't.
func HomeFolder(env Getenv) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if h := env(name); h != "" {
			return h
		}
	}
	return "."
}

// ExpandHome puts the home folder in the place of a leading ~, without the blanks around.
func ExpandHome(path string, env Getenv) string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return filepath.Join(HomeFolder(env), rest)
	}
	return path
}

// WithoutConfigPath returns env without OPENCLAW_CONFIG_PATH, which is about the state folder in
// force and no other.
func WithoutConfigPath(env Getenv) Getenv {
	return func(name string) string {
		if name == "OPENCLAW_CONFIG_PATH" {
			return ""
		}
		return env(name)
	}
}
