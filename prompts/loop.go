package prompts

import (
	"errors"
	"text/template/parse"
)

// walkRange fills in the body of a range once for each number from 0, or its else when there
// is none. There are no lists in Vars, so a range goes over whole numbers only.
func (e *evaluator) walkRange(dot any, loop *parse.RangeNode) error {
	defer e.forget(len(e.variables))
	v, err := e.pipeline(dot, loop.Pipe)
	if err != nil {
		return err
	}
	elements, err := e.elements(v, len(loop.Pipe.Decl))
	if err != nil {
		return err
	}
	if elements.count <= 0 {
		return e.walkList(dot, loop.ElseList)
	}
	for i := range elements.count {
		err := e.walkElement(elements.at(i), loop)
		if errors.Is(err, errBreak) {
			return nil
		}
		if err != nil && !errors.Is(err, errContinue) {
			return err
		}
	}
	return nil
}

// walkElement fills in the body of a range for one element.
func (e *evaluator) walkElement(element any, loop *parse.RangeNode) error {
	defer e.forget(len(e.variables))
	switch {
	case len(loop.Pipe.Decl) == 0:
	case loop.Pipe.IsAssign:
		if err := e.assign(loop.Pipe.Decl[0].Ident[0], element); err != nil {
			return err
		}
	default:
		e.variables[len(e.variables)-1].value = element // The pipeline declared it.
	}
	return e.walkList(element, loop.List)
}

// numbers are the whole numbers from 0 up to a count, which have the type of the count.
type numbers struct {
	count int
	bytes bool
}

// at is the number at a place.
func (n numbers) at(i int) any {
	if n.bytes {
		return byte(i)
	}
	return i
}

// elements are what a range with this many variables goes over.
func (e *evaluator) elements(v any, variables int) (numbers, error) {
	var out numbers
	switch v := v.(type) {
	case nil:
		return out, nil
	case int:
		out.count = v
	case byte:
		out = numbers{int(v), true}
	default:
		return out, e.errorf("range can't iterate over %T", v)
	}
	if variables > 1 {
		return out, e.errorf("can't use %v to iterate over more than one variable", v)
	}
	return out, nil
}
