package fleet

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Order is a plan that was sent home, and what came of it as far as that is known here.
type Order struct {
	At      time.Time `json:"at"`
	Plan    string    `json:"plan"` // The name of the file.
	Outcome Outcome   `json:"outcome"`
	Exit    int       `json:"exit"`   // That of lcm-tui apply there; 0 where that isn't known.
	Answer  string    `json:"answer"` // The last line that was printed there but hints, or why it couldn't be asked; text of another machine.
}

// Outcome says what became of a plan.
type Outcome string

// The outcomes of a plan that was sent home.
const (
	Applied Outcome = "applied"
	Refused Outcome = "refused"  // Its rows have changed since it was made.
	Failed  Outcome = "failed"   // There, and lcm-tui there said why.
	NotSent Outcome = "not sent" // The machine couldn't be asked.
	Unknown Outcome = "unknown"  // The line broke, or time ran out, while it was written.
)

const (
	ordersFile = "orders.json"
	mostOrders = 20
	mostText   = 300 // Bytes of an answer that are noted.
)

// The exit codes of lcm-tui apply where a record applied the plan before, and where its rows have changed since.
const (
	exitNothing = 3
	exitStale   = 4
)

// NewOrder returns the order of a plan file: exit and printed are what lcm-tui apply ended with and printed, err is that it
// couldn't be asked, or that its answer didn't come to the end.
func NewOrder(at time.Time, plan string, exit int, printed string, err error) Order {
	o := Order{At: at.UTC().Truncate(time.Second), Plan: filepath.Base(plan), Exit: exit, Answer: answerLine(printed)}
	switch {
	case errors.Is(err, ErrUnheard):
		o.Outcome, o.Answer = Unknown, shorten(err.Error())
	case err != nil:
		o.Outcome, o.Answer = NotSent, shorten(err.Error())
	case exit == 0, exit == exitNothing:
		o.Outcome = Applied
	case exit == exitStale:
		o.Outcome = Refused
	default:
		o.Outcome = Failed
	}
	return o
}

// answerLine returns the last line of what was printed that isn't blank, without a hint below it, cut to what is noted.
func answerLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), hintStart)
	return shorten(strings.TrimPrefix(strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:]), errorStart))
}

func shorten(text string) string {
	if len(text) > mostText {
		text = text[:mostText]
	}
	return strings.ToValidUTF8(text, "")
}

// Orders returns the plans that were sent to the machine of a source, the newest first. Notes that can't be read are none.
func (s Store) Orders(name string) (orders []Order) {
	_ = readState(filepath.Join(s.folder(name), ordersFile), &orders)
	return orders
}

// NoteOrder notes a plan that was sent to the machine of a source.
func (s Store) NoteOrder(name string, o Order) error {
	if _, err := s.Get(name); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(s.folder(name), "orders.lock"), flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	path := filepath.Join(s.folder(name), ordersFile)
	var orders []Order
	if err := readState(path, &orders); err != nil && !errors.Is(err, fs.ErrNotExist) {
		orders = nil // Notes that are spoiled begin again.
	}
	orders = append([]Order{o}, orders...)
	return writeState(path, orders[:min(len(orders), mostOrders)])
}
