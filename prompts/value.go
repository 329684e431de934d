package prompts

import (
	"errors"
	"fmt"
)

// isTrue reports whether a value counts as true: it isn't the zero of its type. Vars always
// count as true.
func isTrue(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int:
		return v != 0
	case byte:
		return v != 0
	case float64:
		return v != 0
	case complex128:
		return v != 0
	case string:
		return v != ""
	}
	return true
}

// printable is a value as it is written.
func printable(v any) any {
	if v == nil {
		return "<no value>"
	}
	return v
}

// typeName is the type of a value in an error.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "nil"
	case Vars:
		return "all variables"
	}
	return fmt.Sprintf("%T", v)
}

// length is the number of bytes of a string.
func length(args []any) (any, error) {
	s, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("len of type %s", typeName(args[0]))
	}
	return len(s), nil
}

// index is a byte of a string or, without the number of one, the value itself.
func index(args []any) (any, error) {
	v := args[0]
	if v == nil {
		return nil, errors.New("index of untyped nil")
	}
	for _, place := range args[1:] {
		s, ok := v.(string)
		if !ok {
			return nil, fmt.Errorf("can't index item of type %s", typeName(v))
		}
		i, err := offset(place, len(s)-1)
		if err != nil {
			return nil, err
		}
		v = s[i]
	}
	return v, nil
}

// slice is the bytes of a string from one offset up to another: all, from the first or up to
// the end where they aren't given.
func slice(args []any) (any, error) {
	s, ok := args[0].(string)
	switch {
	case args[0] == nil:
		return nil, errors.New("slice of untyped nil")
	case len(args) > 4:
		return nil, fmt.Errorf("too many slice indexes: %d", len(args)-1)
	case !ok:
		return nil, fmt.Errorf("can't slice item of type %s", typeName(args[0]))
	case len(args) == 4:
		return nil, errors.New("cannot 3-index slice a string")
	}
	bounds := [2]int{0, len(s)}
	for i, place := range args[1:] {
		var err error
		if bounds[i], err = offset(place, len(s)); err != nil {
			return nil, err
		}
	}
	if bounds[0] > bounds[1] {
		return nil, fmt.Errorf("invalid slice index: %d > %d", bounds[0], bounds[1])
	}
	return s[bounds[0]:bounds[1]], nil
}

// offset is a value as an offset from 0 to a greatest one.
func offset(v any, greatest int) (int, error) {
	i := 0
	switch v := v.(type) {
	case int:
		i = v
	case byte:
		i = int(v)
	case nil:
		return 0, errors.New("cannot index slice/array with nil")
	default:
		return 0, fmt.Errorf("cannot index slice/array with type %s", typeName(v))
	}
	if i < 0 || i > greatest {
		return 0, fmt.Errorf("index out of range: %d", i)
	}
	return i, nil
}
