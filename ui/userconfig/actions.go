package userconfig

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Action is an action of the screens to which a user can give keys.
type Action struct {
	Name string
	Keys []string // Its own.
	// Each says that its keys do different things, so that each is given by itself.
	Each bool
	// Typing says that it works while text is typed, where a letter is text.
	Typing bool
	About  string
}

//go:embed actions.txt
var actionsText string

// actions reads the table of actions, and which of them a screen has at the same time.
var actions = sync.OnceValues(func() (all []Action, screens [][]string) {
	for line := range strings.Lines(actionsText) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case len(fields) == 1:
			screens = append(screens, strings.Fields(line))
		default:
			all = append(all, Action{
				Name: fields[0], Keys: strings.Fields(fields[1]), About: fields[3],
				Each: strings.Contains(fields[2], "each"), Typing: strings.Contains(fields[2], "typing"),
			})
		}
	}
	return all, screens
})

// Actions returns every action, by name.
func Actions() []Action {
	all, _ := actions()
	return all
}

// find returns the action of a name.
func find(name string) (Action, bool) {
	all := Actions()
	i := slices.IndexFunc(all, func(a Action) bool { return a.Name == name })
	if i < 0 {
		return Action{}, false
	}
	return all[i], true
}
