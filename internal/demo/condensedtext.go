package demo

import (
	"fmt"
	"strings"
)

// condensedText returns the text of a condensed summary: what came of each topic among its past,
// shorter the higher it stands.
func condensedText(past []session, depth int) string {
	var b strings.Builder
	head := []string{"", "## What happened with %s\n\n", "## %s: how it went\n\n", "## Project so far: %s\n\n"}
	last, order := latest(past)
	fmt.Fprintf(&b, head[depth], listAreas(order))
	var more []string
	for _, area := range order {
		e := last[area]
		more = append(more, strings.Split(e.topic["expand"], ", ")[0])
		b.WriteString(e.line(depth))
	}
	if depth == 3 {
		b.WriteString("\n**Standing decisions**\n\n")
		for _, area := range order {
			if last[area].phase > 0 {
				fmt.Fprintf(&b, "- %s (%s)\n", last[area].topic["decision"], last[area].topic["ticket"])
			}
		}
	}
	fmt.Fprintf(&b, "\nExpand for details about: %s", strings.Join(more, ", "))
	return b.String()
}

// latest finds the newest session of each topic, and the topics in order.
func latest(past []session) (last map[string]session, order []string) {
	last = map[string]session{}
	for _, e := range past {
		if _, ok := last[e.topic["area"]]; !ok {
			order = append(order, e.topic["area"])
		}
		last[e.topic["area"]] = e
	}
	return last, order
}

// listAreas names a few of the topics.
func listAreas(order []string) string {
	if len(order) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(order[:3], ", "), len(order)-3)
	}
	return strings.Join(order, ", ")
}

// line tells the outcome of a topic by its newest session.
func (e session) line(depth int) string {
	t := e.topic
	var s string
	switch {
	case e.phase == 0:
		s = fmt.Sprintf("cause found: %s (`%s`). Proposed: %s.", t["cause"], t["file"], t["fix"])
	case e.phase == 1:
		s = fmt.Sprintf("changed in `%s`: %s. Decision: %s. Not rolled out yet.", t["file"], t["fix"], t["decision"])
	case depth > 1:
		s = fmt.Sprintf("%s, %s → %s.", t["metric"], t["before"], t["after"])
	default:
		s = fmt.Sprintf("%s; rolled out, %s %s → %s. In force: %s (`%s`).", t["fix"], t["metric"], t["before"], t["after"], t["decision"], t["doc"])
	}
	return fmt.Sprintf("- **%s** (%s): %s\n", t["area"], t["ticket"], s)
}

// source renders messages as the engine gives them to a summariser.
func (d *demo) source(ids []int64) string {
	var b strings.Builder
	for _, id := range ids {
		var role, content, at string
		if d.err == nil {
			d.err = d.Read([]any{&role, &content, &at}, "SELECT role, content, created_at FROM messages WHERE message_id = ?", id)
		}
		if content != "" {
			fmt.Fprintf(&b, "[%s UTC | %s]\n%s\n\n", at[:len("2006-01-02 15:04")], role, content)
		}
	}
	return b.String()
}

// truncate takes the first n bytes of a text, less what is left of a letter or of white space.
func truncate(s string, n int) string {
	return strings.TrimSpace(strings.ToValidUTF8(s[:min(len(s), n)], ""))
}
