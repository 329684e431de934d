package transplant

import (
	"fmt"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/ops"
)

// refuse says why it can't be planned and what to do instead, with other words for a screen
// where next names a command or a flag.
func (o *Op) refuse(why, next string, onScreen ...string) error {
	return &hint.Error{Text: fmt.Sprintf("can't transplant conversation %d into %d: %s", o.Source, o.Target, why), Next: next, OnScreen: strings.Join(onScreen, "")}
}

// nothing says why there is nothing to copy, and what else can be done.
func nothing(why, next string) error { return &hint.Error{Text: why, Next: next, Err: ops.ErrNothing} }

// joinSome joins the first names and says how many more there are.
func joinSome(names []string) string {
	const most = 30
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
