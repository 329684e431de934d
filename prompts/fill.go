package prompts

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"text/template/parse"
)

// These say that a template goes beyond its budget.
var (
	errTooMuch = errors.New("it makes more than 256 MB of text, or takes more than 65,536 steps")
	errTooDeep = errors.New("more than 200 of its loops and calls of templates lie in one another")
)

// These texts aren't written: they say where a loop or the call of a template begins and ends.
var enter, leave = []byte("enter"), []byte("leave")

const (
	maxText   = 256 << 20     // The budget of one template in bytes.
	stepCost  = maxText >> 16 // What a step takes of it: one action or text.
	maxDepth  = 200           // An error in n loops that lie in one another takes n² time.
	maxWidth  = 1_000_000     // The greatest width and precision that package fmt accepts.
	maxEscape = 6             // How many bytes one byte takes at most when it is escaped or quoted.
)

// budget is the text of a template that is filled in, and what it may still cost. A user's template may have loops
// without an end, and templates that call themselves.
type budget struct {
	text  bytes.Buffer
	left  int
	depth int // Of loops and calls of templates.
}

// spend takes from the budget, and fails where not enough is left.
func (b *budget) spend(cost int) error {
	if cost < 0 || cost > b.left {
		return errTooMuch
	}
	b.left -= cost
	return nil
}

// Write adds to the text. Each step writes, if only an empty text: see addSteps.
func (b *budget) Write(p []byte) (int, error) {
	switch {
	case len(p) == 0:
	case &p[0] == &enter[0]:
		if b.depth++; b.depth > maxDepth {
			return 0, errTooDeep
		}
		return len(p), nil
	case &p[0] == &leave[0]:
		b.depth--
		return len(p), nil
	}
	if err := b.spend(stepCost + len(p)); err != nil {
		return 0, err
	}
	return b.text.Write(p)
}

// fill fills in a template, whose name stands in errors.
func fill(name, text string, vars Vars) (string, error) {
	b := &budget{left: maxText}
	t, err := template.New(name).Funcs(b.functions()).Parse(text)
	if err != nil {
		return "", err
	}
	for _, each := range t.Templates() {
		addSteps(each.Root)
	}
	err = t.Execute(b, vars)
	return b.text.String(), err
}

// functions lists the functions of text/template that make texts, each of which pays for its text
// before it makes it. The others make none.
func (b *budget) functions() template.FuncMap {
	limited := func(f func(...any) string) any {
		return func(args ...any) (string, error) {
			if err := b.spend(maxEscape * size(args)); err != nil {
				return "", err
			}
			return f(args...), nil
		}
	}
	return template.FuncMap{
		"print": limited(fmt.Sprint), "println": limited(fmt.Sprintln), "printf": b.printf,
		"html": limited(template.HTMLEscaper), "js": limited(template.JSEscaper), "urlquery": limited(template.URLQueryEscaper),
	}
}

// printf works as Go's Sprintf. Each verb can write the longest argument, or as many spaces as a width says.
func (b *budget) printf(format string, args ...any) (string, error) {
	each := maxEscape * size(args)
	if strings.ContainsAny(format, "0123456789*") {
		each += maxWidth
	}
	if err := b.spend(len(format) + strings.Count(format, "%")*each); err != nil {
		return "", err
	}
	return fmt.Sprintf(format, args...), nil
}

// size returns about how many bytes values take.
func size(values []any) (bytes int) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			bytes += len(v)
		case Vars:
			bytes += len(v.PreviousContext) + len(v.TimeRange) + len(v.SourceText) + len(v.CustomInstructions)
		}
		bytes += 32
	}
	return bytes
}

// addSteps puts texts before and after everything that a template fills in, so that the writer is asked
// at each step, also in a loop that writes nothing.
func addSteps(list *parse.ListNode) {
	if list == nil {
		return
	}
	text := func(text []byte) parse.Node { return &parse.TextNode{NodeType: parse.NodeText, Text: text} }
	nodes := []parse.Node{text(nil)}
	for _, n := range list.Nodes {
		if t := n.Type(); t == parse.NodeRange || t == parse.NodeTemplate {
			nodes = append(nodes, text(enter), n, text(leave))
		} else {
			nodes = append(nodes, n, text(nil))
		}
		if branch := branchOf(n); branch != nil {
			addSteps(branch.List)
			addSteps(branch.ElseList)
		}
	}
	list.Nodes = nodes
}

// branchOf returns the part of a node that has lists, and nil for others.
func branchOf(n parse.Node) *parse.BranchNode {
	switch n := n.(type) {
	case *parse.IfNode:
		return &n.BranchNode
	case *parse.WithNode:
		return &n.BranchNode
	case *parse.RangeNode:
		return &n.BranchNode
	}
	return nil
}
