package transcript

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// rolledBack is in lines that say how many turns the user of Codex dropped.
const rolledBack = `"thread_rolled_back"`

// turnsBack returns how many turns a line drops: 0 of a line that isn't such.
func turnsBack(line string) int {
	if !strings.Contains(line, rolledBack) {
		return 0
	}
	v := jstext.Parse(line)
	if event := v.Field("payload"); v.Field("type") == `"event_msg"` && event.Field("type") == rolledBack {
		if n, err := strconv.Atoi(string(event.Field("num_turns"))); err == nil {
			return max(n, 0)
		}
	}
	return 0
}

// contextOfCodex begins messages of the user that Codex itself writes: they begin no turn.
var contextOfCodex = []string{
	"<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<turn_aborted>", "<skill>", "<user_shell_command>", "<subagent_notification>",
}

// beginsTurn reports whether a line is a message that the user wrote.
func beginsTurn(line string) bool {
	if !strings.Contains(line, `"user"`) {
		return false
	}
	v := jstext.Parse(line)
	item := v.Field("payload")
	if v.Field("type") != `"response_item"` || item.Field("type") != `"message"` || item.Field("role") != `"user"` || isInjected(v) {
		return false
	}
	text := item.Field("content").Text()
	for b := range item.Field("content").Elements() {
		if text = b.Field("text").Text(); text != "" {
			break
		}
	}
	text = jstext.Trim(text)
	return !slices.ContainsFunc(contextOfCodex, func(s string) bool { return strings.HasPrefix(text, s) })
}

// findRolledBack returns the ids of the entries of turns that the user of Codex dropped, from the message that began
// the first of them on.
func (f *File) findRolledBack(ctx context.Context) (map[string]bool, error) {
	if some, err := f.wentBack(ctx); err != nil || !some {
		return nil, err
	}
	gone := map[string]bool{}
	var lines []int64 // Those that are a part of the session, from the first turn on.
	var turns []int   // Where each turn begins there.
	err := f.eachLine(ctx, func(at place, line string) (bool, error) {
		if n := min(turnsBack(line), len(turns)); n > 0 {
			first := turns[len(turns)-n]
			for _, back := range lines[first:] {
				gone[codexID(f.part(), back)] = true
			}
			lines, turns = lines[:first], turns[:len(turns)-n]
			return true, nil
		}
		if beginsTurn(line) {
			turns = append(turns, len(lines))
		}
		if len(turns) > 0 {
			lines = append(lines, at.line)
		}
		return true, nil
	}, nil)
	return gone, err
}
