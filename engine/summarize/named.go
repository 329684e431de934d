package summarize

// UnnamedError says that the texts of a model may not be written: nobody chose one, and
// what stands in is the built-in summarizer, which picks sentences from the source.
type UnnamedError struct {
	Model string // "provider/model" of what stands in; empty where nothing does.
}

func (e *UnnamedError) Error() string {
	if e.Model == "" {
		return "no model is chosen"
	}
	return "no model is chosen; what the built-in summarizer (" + e.Model + ") picks from a source is written only where it is named"
}

// Hint says how to name one.
func (e *UnnamedError) Hint() string {
	return "name a model with --provider and --model, or accept picked sentences with --provider extractive;\n" +
		"LCM_TUI_SUMMARY_PROVIDER, or summaryProvider in openclaw.json, names one for every run"
}

// CheckNamed is nil if the texts of m may be written: the user or a setting named it.
// Otherwise it is an *UnnamedError: m is nil, or it is the built-in summarizer that stands
// in where nothing names a provider. That one may make a preview, but no operation writes
// its texts, and none replaces a text that a model wrote with them.
func CheckNamed(m Model) error {
	if m == nil {
		return &UnnamedError{}
	}
	if u, ok := innermost(m).(interface{ Unnamed() bool }); ok && u.Unnamed() {
		return &UnnamedError{Model: m.Name()}
	}
	return nil
}

// innermost is the model that answers behind limits and kept answers.
func innermost(m Model) Model {
	for {
		w, ok := m.(interface{ Unwrap() Model })
		if !ok {
			return m
		}
		m = w.Unwrap()
	}
}
