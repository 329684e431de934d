package choose

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/programs"
)

// identity returns all that decides, beside a request, what is answered: the provider, the
// model, the wire format and the address; of a command every argument, and the size and
// time of the program and of every file that the arguments name. No key is in it.
func (r Resolved) identity() string {
	parts := []string{r.Provider, r.Model, string(r.API), r.BaseURL, r.program}
	if r.Provider == model.Exec {
		parts = append(parts, r.argv...)
		parts = append(parts, fileMark(r.program))
		for _, arg := range r.argv[min(1, len(r.argv)):] {
			for _, name := range filesIn(arg) {
				parts = append(parts, fileMark(name))
			}
		}
	}
	return fmt.Sprintf("%q", parts)
}

// filesIn returns the texts in an argument that may name a file: all of it, what stands
// behind = or @, and each word of a line for a shell.
func filesIn(arg string) []string {
	names := []string{arg}
	words, err := programs.Split(arg)
	if err == nil && len(words) > 1 {
		names = append(names, words...)
	}
	for i := 0; i < len(names); i++ { // What is found behind a sign may have another.
		if _, value, ok := strings.Cut(names[i], "="); ok {
			names = append(names, value)
		}
		if value, ok := strings.CutPrefix(names[i], "@"); ok {
			names = append(names, value)
		}
	}
	return names
}

// fileMark returns which file a name is, its size and time, or empty where it is none.
func fileMark(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	path, err := filepath.Abs(name)
	if err != nil {
		path = name
	}
	return fmt.Sprint(path, " ", info.Size(), " ", info.ModTime().UnixNano())
}
