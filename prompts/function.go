package prompts

import (
	"fmt"
	"text/template/parse"
)

// function is one that a template can call. The functions are text/template's.
type function struct {
	arguments int  // How many it takes.
	variadic  bool // Whether it takes more.
	call      func(args []any) (any, error)
}

// functions are by their names. and, or and printf have rules of their own in evaluator.call.
var functions = map[string]function{
	"and":      {arguments: 1, variadic: true},
	"or":       {arguments: 1, variadic: true},
	"not":      {arguments: 1, call: func(args []any) (any, error) { return !isTrue(args[0]), nil }},
	"eq":       {arguments: 1, variadic: true, call: equalsAny},
	"ne":       {arguments: 2, call: differs},
	"lt":       {arguments: 2, call: isLess},
	"le":       {arguments: 2, call: isLessOrEqual},
	"gt":       {arguments: 2, call: isGreater},
	"ge":       {arguments: 2, call: isGreaterOrEqual},
	"len":      {arguments: 1, call: length},
	"index":    {arguments: 1, variadic: true, call: index},
	"slice":    {arguments: 1, variadic: true, call: slice},
	"print":    {variadic: true, call: func(args []any) (any, error) { return fmt.Sprint(args...), nil }},
	"printf":   {arguments: 1, variadic: true, call: printf},
	"println":  {variadic: true, call: func(args []any) (any, error) { return fmt.Sprintln(args...), nil }},
	"html":     {variadic: true, call: escaper(escapeHTML)},
	"js":       {variadic: true, call: escaper(escapeJavaScript)},
	"urlquery": {variadic: true, call: escaper(escapeQuery)},
	"call":     {arguments: 1, variadic: true, call: callValue},
}

// functionNames are the functions as the parser takes them, which looks at their names only.
func functionNames() map[string]any {
	out := make(map[string]any, len(functions))
	for name, fn := range functions {
		out[name] = fn
	}
	return out
}

// call is the value of a function. The value of the command before is its last argument.
// whole is what an error of the function is at.
func (e *evaluator) call(dot any, name *parse.IdentifierNode, whole parse.Node, args []parse.Node, piped []any) (any, error) {
	e.node = name
	fn := functions[name.Ident] // The parser has seen to it that there is one.
	count := len(args) + len(piped)
	if fn.variadic && count < fn.arguments {
		return nil, e.errorf("wrong number of args for %s: want at least %d got %d", name.Ident, fn.arguments, count)
	}
	if !fn.variadic && count != fn.arguments {
		return nil, e.errorf("wrong number of args for %s: want %d got %d", name.Ident, fn.arguments, count)
	}
	if name.Ident == "and" || name.Ident == "or" {
		return e.junction(dot, name.Ident == "or", args, piped)
	}
	values, err := e.arguments(dot, name.Ident, args, piped)
	if err != nil {
		return nil, err
	}
	v, err := fn.call(values)
	if err != nil {
		e.node = whole
		return nil, e.errorf("error calling %s: %w", name.Ident, err)
	}
	return v, nil
}

// junction is an and or an or: the first argument that is false, or true for an or, else the
// last. The arguments after it aren't looked at.
func (e *evaluator) junction(dot any, or bool, args []parse.Node, piped []any) (any, error) {
	var v any
	for _, arg := range args {
		var err error
		if v, err = e.argument(dot, arg); err != nil || isTrue(v) == or {
			return v, err
		}
	}
	if len(piped) > 0 {
		return piped[0], nil
	}
	return v, nil
}

// arguments are the values of a call's arguments. The first one of printf must be a string,
// which is said before the others are looked at.
func (e *evaluator) arguments(dot any, name string, args []parse.Node, piped []any) ([]any, error) {
	values := make([]any, 0, len(args)+len(piped))
	for i := range cap(values) {
		if i == len(args) {
			values = append(values, piped[0])
		} else {
			v, err := e.argument(dot, args[i])
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		if _, ok := values[i].(string); !ok && i == 0 && name == "printf" {
			return nil, e.errorf("wrong type for value; expected string; got %s", typeName(values[i]))
		}
	}
	return values, nil
}

// printf is Go's Sprintf.
func printf(args []any) (any, error) {
	format, _ := args[0].(string) // evaluator.arguments has seen to it.
	return fmt.Sprintf(format, args[1:]...), nil
}

// callValue is an error: no value is a function.
func callValue(args []any) (any, error) {
	return nil, fmt.Errorf("call of non-function of type %s", typeName(args[0]))
}
