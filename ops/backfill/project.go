package backfill

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/data/transcript"
)

// longestSlug is how many bytes of a folder's name are in the name of its project.
const longestSlug = 40

// ProjectOf returns the name by which the session keys of followed transcripts call the project in a
// folder: the name of the folder that git keeps it in, else of the folder itself, and 6 digits of the
// SHA-256 of its real path. It is empty without a folder.
func ProjectOf(folder string) string {
	if folder == "" {
		return ""
	}
	if whole, err := filepath.EvalSymlinks(folder); err == nil {
		folder = whole // Links are followed first: above a link into the project there is another folder.
	}
	root := gitRoot(folder)
	if whole, err := filepath.EvalSymlinks(root); err == nil {
		root = whole // The folder is gone, and its project isn't.
	}
	sum := sha256.Sum256([]byte(root))
	return slug(filepath.Base(root)) + "-" + hex.EncodeToString(sum[:3])
}

// gitRoot returns the folder in or above another one that git keeps, else that one.
func gitRoot(folder string) string {
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return filepath.Clean(folder)
		}
	}
}

// slug returns a name in small letters, digits and single dashes.
func slug(name string) string {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	out := strings.Join(parts, "-")
	if out == "" {
		out = "project"
	}
	return strings.TrimRight(out[:min(len(out), longestSlug)], "-")
}

// keyOfAgent returns the session key of a session of an agent, or of a project. That of a helper names
// the session that it works for.
func keyOfAgent(agent string, f *transcript.File) string {
	session, helper, isHelper := strings.Cut(f.Session.ID, "/")
	key := "agent:" + agent + ":" + string(f.Kind) + ":" + session
	if isHelper {
		key += ":subagent:" + helper
	}
	return key
}
