package prompts

import (
	"errors"
	"fmt"
)

// These are the errors of values that can't be compared.
var (
	errNoComparison  = errors.New("missing argument for comparison")
	errBadComparison = errors.New("invalid type for comparison")
)

// incompatible is the error of two values of different kinds.
func incompatible(a, b any) error {
	return fmt.Errorf("incompatible types for comparison: %s and %s", typeName(a), typeName(b))
}

// integer is a whole number of either type.
func integer(v any) (i int, ok bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case byte:
		return int(v), true
	}
	return 0, false
}

// equalsAny reports whether the first value equals one of the others. nil equals nil only.
func equalsAny(args []any) (any, error) {
	if len(args) < 2 {
		return nil, errNoComparison
	}
	for _, other := range args[1:] {
		if equal, err := equals(args[0], other); equal || err != nil {
			return equal, err
		}
	}
	return false, nil
}

// equals reports whether two values are equal.
func equals(a, b any) (bool, error) {
	if i, ok := integer(a); ok {
		if j, ok := integer(b); ok {
			return i == j, nil
		}
	}
	if a != nil && b != nil && kind(a) != kind(b) {
		return false, incompatible(a, b)
	}
	return a == b, nil
}

// kind is the same for values that can be compared with one another, and empty for those that
// no other comes before or after.
func kind(v any) string {
	switch v.(type) {
	case bool:
		return "bool"
	case int, byte:
		return "integer"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string:
		return "string"
	}
	return ""
}

// differs reports whether two values aren't equal.
func differs(args []any) (any, error) {
	equal, err := equals(args[0], args[1])
	return !equal, err
}

// less reports whether a value comes before another.
func less(a, b any) (bool, error) {
	if kind(a) == "" || kind(b) == "" {
		return false, errBadComparison
	}
	if kind(a) != kind(b) {
		return false, incompatible(a, b)
	}
	switch v := a.(type) {
	case float64:
		return v < b.(float64), nil
	case string:
		return v < b.(string), nil
	}
	i, ok := integer(a)
	if !ok {
		return false, errBadComparison
	}
	j, _ := integer(b)
	return i < j, nil
}

// lessOrEqual reports whether a value comes before another or equals it.
func lessOrEqual(a, b any) (bool, error) {
	before, err := less(a, b)
	if before || err != nil {
		return before, err
	}
	return equals(a, b)
}

// isLess reports whether the first value comes before the second.
func isLess(args []any) (any, error) { return less(args[0], args[1]) }

// isLessOrEqual reports whether the second value doesn't come before the first.
func isLessOrEqual(args []any) (any, error) { return lessOrEqual(args[0], args[1]) }

// isGreater reports whether the second value comes before the first.
func isGreater(args []any) (any, error) {
	before, err := lessOrEqual(args[0], args[1])
	return !before, err
}

// isGreaterOrEqual reports whether the first value doesn't come before the second.
func isGreaterOrEqual(args []any) (any, error) {
	before, err := less(args[0], args[1])
	return !before, err
}
