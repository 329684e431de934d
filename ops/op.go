package ops

import (
	"context"
	"errors"

	"lcm-tui/data"
)

// Op is an operation: a struct whose fields are its request.
type Op interface {
	// Name is the operation's verb, as the command line has it.
	Name() string
	// Plan reads db and says what would change. It may take long, and stops when
	// ctx is done.
	Plan(ctx context.Context, db *data.DB, report data.Report) (Plan, error)
}

// Generator is an operation whose plan is an estimate at first, because making it
// calls a model.
type Generator interface {
	Op
	// Generating is the operation that calls it.
	Generating() Op
}

// Estimator is a Generator whose estimate can be made again once it generates: what
// another plan of it would take, without a call.
type Estimator interface {
	Generator
	// Estimating is the operation that calls no model.
	Estimating() Op
}

// Stepper is an operation that can be written step by step, each by itself.
type Stepper interface {
	Op
	// Step is the n-th step, from 0; not ok when there are no more, or when the
	// operation is written whole.
	Step(n int) (op Op, ok bool)
}

// Batcher is an operation that is written in parts, one after the other, because hosts
// would wait too long for all of it at once.
type Batcher interface {
	Op
	// Batch is the n-th part, from 0. Its plan gives ErrNothing when there are no more.
	Batch(n int) Op
}

// Chooser is an operation whose texts are judged one by one.
type Chooser interface {
	Op
	// With is the operation in which an id's text is a given one: of a model, or written by hand where that
	// is empty.
	With(id, text, model string) Op
	// Attempt is the operation in which an id's text is the model's n-th answer, from 0, and no given one.
	Attempt(id string, n int) Op
	// Chosen returns which answer of the model an id's text is, or that it is a given one.
	Chosen(id string) (attempt int, given bool)
}

// Skipper is an operation that can leave texts as they are.
type Skipper interface {
	Chooser
	// Without is the operation that leaves the text of an id, or an item of the plan, as it
	// is; Back is the one that includes it again.
	Without(id string) Op
	Back(id string) Op
}

// Keeper is an operation that would ask for more texts again than for those made of one that changes.
type Keeper interface {
	Chooser
	// Keeping is the operation that keeps the texts of its plan, except for that of an id and those made of it.
	Keeping(p *Plan, id string) Op
}

// ErrNothing is wrapped by the error of a plan that would change nothing.
var ErrNothing = errors.New("nothing to do")
