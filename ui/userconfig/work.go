package userconfig

import (
	"errors"
	"fmt"
	"strconv"
)

// Work is what may be done without being asked each time: the table [work].
type Work struct {
	Enabled         bool // Hooks begin work that is due.
	Provider, Model string
	// The most calls of models in a day, and the most US dollars that they may cost; 0 dollars is no limit.
	Calls   int
	Dollars float64
}

// defaultWork is in force where a file sets nothing: summaries are made by the summarizer that is built in, which
// sends nothing anywhere.
var defaultWork = Work{Enabled: true, Provider: "extractive", Calls: 100, Dollars: 1}

// LimitText says how many dollars the calls of a day may cost.
func (w Work) LimitText() string {
	switch {
	case w.Dollars == 0:
		return "any amount"
	case w.Dollars < 0.01:
		return "$" + strconv.FormatFloat(w.Dollars, 'f', -1, 64)
	}
	return fmt.Sprintf("$%.2f", w.Dollars)
}

// set sets what an entry of the table sets.
func (w *Work) set(e entry) (err error) {
	if len(e.values) != 1 || e.pairs != nil {
		return fmt.Errorf("expected one value for %s", e.name)
	}
	v := e.values[0]
	switch e.name {
	case "enabled":
		if v != "true" && v != "false" {
			return errors.New("expected true or false for enabled")
		}
		w.Enabled = v == "true"
	case "provider":
		w.Provider = v
	case "model":
		w.Model = v
	case "max-calls-per-day":
		n, err := strconv.ParseUint(v, 10, 31)
		if err != nil {
			return fmt.Errorf("expected a whole number for %s, not %q", e.name, v)
		}
		w.Calls = int(n)
	case "max-dollars-per-day":
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || !(n >= 0 && n <= 1e6) {
			return fmt.Errorf("expected US dollars for %s, such as 0.50, not %q", e.name, v)
		}
		w.Dollars = n
	default:
		return fmt.Errorf("there is no setting %s: there are enabled, provider, model, max-calls-per-day and max-dollars-per-day", e.name)
	}
	return nil
}
