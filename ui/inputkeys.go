package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// edit runs one key of the line editor, by the names that shells have taught.
func (i *Input) edit(m tea.KeyPressMsg) {
	switch m.String() {
	case "left", "ctrl+b":
		i.step(-1)
	case "right", "ctrl+f":
		i.step(1)
	case "home", "ctrl+a":
		i.step(-len(i.before))
	case "end", "ctrl+e":
		i.step(len(i.after))
	case "backspace", "ctrl+h":
		i.before = i.before[:max(0, len(i.before)-1)]
	case "delete", "ctrl+d":
		i.after = i.after[min(1, len(i.after)):]
	case "ctrl+u":
		i.before = nil
	case "ctrl+k":
		i.after = nil
	case "ctrl+w", "alt+backspace":
		i.dropWord()
	default:
		i.before = clusters(strings.Join(i.before, "") + Sanitize(strings.ReplaceAll(m.Text, "\n", " ")))
		i.limit()
	}
}

// step moves the cursor by n characters.
func (i *Input) step(n int) {
	all := slices.Concat(i.before, i.after)
	at := max(0, min(len(i.before)+n, len(all)))
	i.before, i.after = all[:at:at], all[at:]
}

// lineBreaks makes the line breaks of a paste those of texts: terminals send a carriage return for each.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ")

// joinLines puts a text on one line: a space stands for each line break and the white space around it, and there is none at
// the ends. Spaces within a line stay, because paths have them.
func joinLines(text string) string {
	var lines []string
	for line := range strings.SplitSeq(Sanitize(lineBreaks.Replace(text)), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// insert puts text at the cursor, on one line. It reads no more of the text than the prompt
// takes. Clusters are split again, because a typed accent belongs to the letter before it.
func (i *Input) insert(text string) {
	i.before = clusters(strings.Join(i.before, "") + joinLines(dropCutRune(text[:min(len(text), 16*maxInput)])))
	i.limit()
}

// limit drops what the prompt doesn't take, left of the cursor first.
func (i *Input) limit() {
	i.before = i.before[:min(len(i.before), maxInput)]
	i.after = i.after[:min(len(i.after), maxInput-len(i.before))]
}

// dropWord takes out the word left of the cursor and the space after it.
func (i *Input) dropWord() {
	head := strings.TrimRight(strings.Join(i.before, ""), " ")
	i.before = clusters(head[:strings.LastIndex(head, " ")+1])
}
