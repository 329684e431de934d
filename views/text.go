package views

import (
	"os"
	"strings"
)

// firstNonEmpty returns the first text that isn't empty, or an empty one.
func firstNonEmpty(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// textWhen returns text if yes, else an empty text.
func textWhen(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// shortenHome shortens a path by the user's home folder.
func shortenHome(path string) string {
	h, err := os.UserHomeDir()
	if err != nil || h == "" {
		return path
	}
	return trimHome(path, h)
}

// trimHome shortens a path that lies in the home folder, or is it.
func trimHome(path, home string) string {
	home = strings.TrimRight(home, `/\`)
	rest, ok := strings.CutPrefix(path, home)
	if !ok || home == "" || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return "~" + rest
}
