package prompts

import (
	"errors"
	"fmt"
	"strings"
	"text/template/parse"
)

// maxDepth is how deep templates may call templates, as in text/template: a template that
// calls itself without end is an error and doesn't use up the memory.
const maxDepth = 100_000

// These are what a break and a continue return: they end the loop's body like an error.
var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

// evaluator fills in one template as text/template does, whose language this is and whose
// parser reads it. The program doesn't use text/template itself: it finds methods by their
// names while it runs, so with it the linker would keep every exported method of every type
// in the program.
//
// A value is nil, a bool, int, byte (an element of a string), float64, complex128, string or
// Vars; nil is what text/template prints as <no value>.
type evaluator struct {
	trees     map[string]*parse.Tree // All templates of the file by their names.
	tree      *parse.Tree            // The one that is filled in.
	out       *strings.Builder
	node      parse.Node // Where an error is.
	variables []variable // The newest is last.
	depth     int        // How many templates called one another.
}

// variable is a variable that a template declares, such as $x; $ is one too.
type variable struct {
	name  string
	value any
}

// evaluate fills in a template, whose name stands in errors. Errors of the syntax are the
// parser's; the others are *evaluationError.
func evaluate(name, text string, vars Vars) (string, error) {
	trees, err := parse.Parse(name, text, "", "", functionNames())
	if err != nil {
		return "", err
	}
	e := &evaluator{trees: trees, tree: trees[name], out: new(strings.Builder), variables: []variable{{"$", vars}}}
	if err := e.walk(vars, e.tree.Root); err != nil {
		return "", err
	}
	return e.out.String(), nil
}

// evaluationError says what can't be done in a template and where.
type evaluationError struct {
	location string // The template's name, the line and the column, as the parser gives them.
	context  string // The part of the template.
	err      error
}

func (e *evaluationError) Error() string { return e.location + ": " + e.message() }

// Unwrap gives the cause.
func (e *evaluationError) Unwrap() error { return e.err }

// line is the template's line with a colon before it.
func (e *evaluationError) line() string {
	_, place, _ := strings.Cut(e.location, ":")
	line, _, _ := strings.Cut(place, ":")
	return ":" + line
}

// message is what can't be done, with the part of the template.
func (e *evaluationError) message() string {
	var unknown *unknownVariableError
	if errors.As(e.err, &unknown) {
		return e.err.Error() // It names the part that is wrong.
	}
	return fmt.Sprintf("%s at <%s>", e.err, e.context)
}

// unknownVariableError says that there is no variable with a name.
type unknownVariableError struct{ name string }

func (e *unknownVariableError) Error() string { return "there is no variable " + e.name }

// errorf is an error at the node that was looked at last.
func (e *evaluator) errorf(format string, args ...any) error {
	location, context := e.tree.ErrorContext(e.node)
	return &evaluationError{location: location, context: context, err: fmt.Errorf(format, args...)}
}

// walk fills in one node, where dot is the value of the dot.
func (e *evaluator) walk(dot any, node parse.Node) error {
	e.node = node
	switch n := node.(type) {
	case *parse.TextNode:
		e.out.Write(n.Text)
	case *parse.CommentNode:
	case *parse.ListNode:
		return e.walkList(dot, n)
	case *parse.ActionNode:
		return e.walkAction(dot, n)
	case *parse.IfNode:
		return e.walkBranch(dot, &n.BranchNode, false)
	case *parse.WithNode:
		return e.walkBranch(dot, &n.BranchNode, true)
	case *parse.RangeNode:
		return e.walkRange(dot, n)
	case *parse.TemplateNode:
		return e.walkTemplate(dot, n)
	case *parse.BreakNode:
		return errBreak
	case *parse.ContinueNode:
		return errContinue
	default:
		return e.errorf("unknown node: %s", node)
	}
	return nil
}

// walkList fills in one node after the other.
func (e *evaluator) walkList(dot any, list *parse.ListNode) error {
	if list == nil {
		return nil // An else that isn't there.
	}
	for _, n := range list.Nodes {
		if err := e.walk(dot, n); err != nil {
			return err
		}
	}
	return nil
}

// walkAction writes the value of an action. A declaration and an assignment write nothing.
// What is declared lives until the next end.
func (e *evaluator) walkAction(dot any, action *parse.ActionNode) error {
	v, err := e.pipeline(dot, action.Pipe)
	if err == nil && len(action.Pipe.Decl) == 0 {
		fmt.Fprint(e.out, printable(v))
	}
	return err
}

// walkBranch fills in one side of an if, or of a with, in which the dot is the value.
func (e *evaluator) walkBranch(dot any, branch *parse.BranchNode, with bool) error {
	defer e.forget(len(e.variables))
	v, err := e.pipeline(dot, branch.Pipe)
	switch {
	case err != nil:
		return err
	case !isTrue(v):
		return e.walkList(dot, branch.ElseList)
	case with:
		return e.walkList(v, branch.List)
	}
	return e.walkList(dot, branch.List)
}

// walkTemplate fills in another template of the file, which sees none of the variables of
// the one that calls it.
func (e *evaluator) walkTemplate(dot any, call *parse.TemplateNode) error {
	tree := e.trees[call.Name]
	if tree == nil {
		return e.errorf("template %q not defined", call.Name)
	}
	if e.depth == maxDepth {
		return e.errorf("exceeded maximum template depth (%d)", maxDepth)
	}
	dot, err := e.pipeline(dot, call.Pipe)
	if err != nil {
		return err
	}
	called := &evaluator{trees: e.trees, tree: tree, out: e.out, variables: []variable{{"$", dot}}, depth: e.depth + 1}
	return called.walk(dot, tree.Root)
}
