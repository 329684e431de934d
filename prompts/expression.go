package prompts

import (
	"strings"
	"text/template/parse"
)

// pipeline is the value of commands that are separated by |. It declares or assigns the
// variables that stand before them. Without a pipeline the value is nil.
func (e *evaluator) pipeline(dot any, pipe *parse.PipeNode) (any, error) {
	if pipe == nil {
		return nil, nil
	}
	e.node = pipe
	var v any
	var piped []any // The value of the command before, if there is one.
	for _, cmd := range pipe.Cmds {
		var err error
		if v, err = e.command(dot, cmd, piped); err != nil {
			return nil, err
		}
		piped = []any{v}
	}
	for _, declared := range pipe.Decl {
		name := declared.Ident[0]
		if !pipe.IsAssign {
			e.variables = append(e.variables, variable{name, v})
		} else if err := e.assign(name, v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// command is the value of one command of a pipeline: a call, or a value without arguments.
func (e *evaluator) command(dot any, cmd *parse.CommandNode, piped []any) (any, error) {
	first, args := cmd.Args[0], cmd.Args[1:]
	if name, ok := first.(*parse.IdentifierNode); ok {
		return e.call(dot, name, cmd, args, piped)
	}
	return e.operand(dot, first, len(args)+len(piped) > 0)
}

// argument is the value of one argument of a call.
func (e *evaluator) argument(dot any, node parse.Node) (any, error) {
	e.node = node
	switch n := node.(type) {
	case *parse.NilNode:
		return nil, nil
	case *parse.IdentifierNode:
		return e.call(dot, n, n, nil, nil)
	}
	return e.operand(dot, node, false)
}

// operand is the value of what is no function, which can't take arguments.
func (e *evaluator) operand(dot any, node parse.Node, hasArguments bool) (any, error) {
	switch n := node.(type) {
	case *parse.FieldNode:
		e.node = n
		return e.field(dot, n.Ident, hasArguments)
	case *parse.ChainNode:
		return e.chain(dot, n, hasArguments)
	case *parse.VariableNode:
		return e.variable(n, hasArguments)
	}
	if node.Type() != parse.NodePipe {
		e.node = node // An error before a pipeline in parentheses is at what stands around it.
	}
	if hasArguments {
		return nil, e.notFunction(node)
	}
	return e.value(dot, node)
}

// notFunction is the error of arguments after what is no function.
func (e *evaluator) notFunction(node parse.Node) error {
	return e.errorf("can't give argument to non-function %s", node)
}

// variable is the value of a variable or of a field of it.
func (e *evaluator) variable(node *parse.VariableNode, hasArguments bool) (any, error) {
	e.node = node
	found, err := e.declared(node.Ident[0])
	switch {
	case err != nil:
		return nil, err
	case len(node.Ident) > 1:
		return e.field(found.value, node.Ident[1:], hasArguments)
	case hasArguments:
		return nil, e.notFunction(node)
	}
	return found.value, nil
}

// value is the value of a literal, the dot, or of a pipeline in parentheses.
func (e *evaluator) value(dot any, node parse.Node) (any, error) {
	switch n := node.(type) {
	case *parse.PipeNode:
		return e.pipeline(dot, n)
	case *parse.DotNode:
		return dot, nil
	case *parse.BoolNode:
		return n.True, nil
	case *parse.StringNode:
		return n.Text, nil
	case *parse.NumberNode:
		return e.number(n)
	case *parse.NilNode:
		return nil, e.errorf("nil is not a command")
	}
	return nil, e.errorf("can't evaluate command %q", node)
}

// chain is a field of the value of a call or of a pipeline in parentheses.
func (e *evaluator) chain(dot any, chain *parse.ChainNode, hasArguments bool) (any, error) {
	e.node = chain
	receiver, err := e.argument(dot, chain.Node)
	if err != nil {
		return nil, err
	}
	return e.field(receiver, chain.Field, hasArguments)
}

// field is a field of a value: one of Vars. What is nil has every field, and it is nil.
func (e *evaluator) field(receiver any, names []string, hasArguments bool) (any, error) {
	for i, name := range names {
		if receiver == nil {
			return nil, nil
		}
		vars, _ := receiver.(Vars)
		v := vars.value(name)
		if _, ok := receiver.(Vars); !ok || v == nil {
			return nil, e.errorf("%w", &unknownVariableError{name})
		}
		if hasArguments && i == len(names)-1 {
			return nil, e.errorf("%s has arguments but cannot be invoked as function", name)
		}
		receiver = v
	}
	return receiver, nil
}

// number is the value of a number, whose type its spelling tells.
func (e *evaluator) number(n *parse.NumberNode) (any, error) {
	switch {
	case n.IsComplex:
		return n.Complex128, nil
	case n.IsFloat && isSpelledAsFloat(n.Text):
		return n.Float64, nil
	case n.IsInt && int64(int(n.Int64)) == n.Int64:
		return int(n.Int64), nil
	}
	return nil, e.errorf("%s overflows int", n.Text)
}

// isSpelledAsFloat reports whether a number has a decimal point or an exponent. The digits of
// a hexadecimal number and a character in quotes have neither.
func isSpelledAsFloat(text string) bool {
	isHexadecimal := len(text) > 2 && strings.EqualFold(text[:2], "0x") && !strings.ContainsAny(text, "pP")
	return !isHexadecimal && !strings.HasPrefix(text, "'") && strings.ContainsAny(text, ".eEpP")
}

// declared is the variable with a name that was declared last. The parser lets some variables
// pass that aren't: in its own declaration a variable isn't yet there.
func (e *evaluator) declared(name string) (*variable, error) {
	for i := len(e.variables) - 1; i >= 0; i-- {
		if e.variables[i].name == name {
			return &e.variables[i], nil
		}
	}
	return nil, e.errorf("undefined variable: %s", name)
}

// assign gives a variable another value.
func (e *evaluator) assign(name string, v any) error {
	found, err := e.declared(name)
	if err == nil {
		found.value = v
	}
	return err
}

// forget ends the life of all variables but the oldest so many.
func (e *evaluator) forget(mark int) { e.variables = e.variables[:mark] }
