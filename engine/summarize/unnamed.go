package summarize

// UnnamedError says that the texts of a model may not be written: no model is chosen, and
// the default is the built-in summarizer, which picks sentences from the source.
type UnnamedError struct {
	Model string // "provider/model" of the default; empty where there is none.
}

func (e *UnnamedError) Error() string {
	if e.Model == "" {
		return "no model is chosen"
	}
	return "no model is chosen; the built-in summarizer (" + e.Model + ") only picks sentences, and its texts are written only if you choose it"
}

// Hint says how to choose one.
func (e *UnnamedError) Hint() string {
	return "name a model with --provider and --model, or accept picked sentences with --provider extractive;\n" +
		"LCM_TUI_SUMMARY_PROVIDER, or summaryProvider in openclaw.json, names one for every run"
}

// ScreenHint says how to choose one on a screen.
func (e *UnnamedError) ScreenHint() string {
	return "M chooses a model; the built-in summarizer is among them, and only picks sentences"
}

// CheckNamed returns nil if the texts of m may be written: the user or a setting chose it.
// Otherwise it is an *UnnamedError: m is nil, or it is the built-in summarizer as the
// default. That one may make a preview, but no operation writes its texts.
func CheckNamed(m Model) error {
	if m == nil {
		return &UnnamedError{}
	}
	if u, ok := innermost(m).(interface{ Unnamed() bool }); ok && u.Unnamed() {
		return &UnnamedError{Model: m.Name()}
	}
	return nil
}

// innermost returns the model without its limits and its cache.
func innermost(m Model) Model {
	for {
		w, ok := m.(interface{ Unwrap() Model })
		if !ok {
			return m
		}
		m = w.Unwrap()
	}
}
