package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
)

func fall() { panic("index out of range") }

// TestAPanicIsAnError: the exit code is 1, what was and wasn't written is said, and the
// stack is shown to those who ask for it.
func TestAPanicIsAnError(t *testing.T) {
	t.Parallel()
	elsewhere := func() {
		var g parallel.Group
		g.Go(fall)
		g.Wait()
	}
	for name, c := range map[string]struct {
		do      func()
		records []int64
		debug   string
		want    string
	}{
		"at once":                {do: fall, want: "internal error: index out of range; nothing was written"},
		"in a goroutine":         {do: elsewhere, want: "internal error: index out of range; nothing was written"},
		"after a write":          {do: fall, records: []int64{7}, want: "record 7"},
		"for who looks into it":  {do: fall, debug: "1", want: "nothing was written"},
		"elsewhere, looked into": {do: elsewhere, debug: "1", want: "nothing was written"},
	} {
		var errs, out bytes.Buffer
		a := &App{Sys: System{Out: &out, Err: &errs, Env: func(v string) string { return map[string]string{debugEnv: c.debug}[v] }}}
		ctx, changed := outcome.With(t.Context())
		for _, id := range c.records {
			changed.Record(id)
		}
		run := &Invocation{App: a, Outcome: changed}
		r, err := run.guarded(ctx, func(context.Context, *Invocation) (Result, error) { c.do(); return nil, nil })
		err = run.end(r, err)
		var p *parallel.PanicError
		if exitCode(err) != ExitFailed || !errors.As(err, &p) {
			t.Errorf("%s: exit %d, %v", name, exitCode(err), err)
		}
		printError(&errs, "", err)
		if !strings.Contains(errs.String(), c.want) || strings.Contains(errs.String(), "nothing was written") && c.records != nil {
			t.Errorf("%s: %s", name, errs.String())
		}
		if shown := strings.Contains(errs.String(), "goroutine"); shown != (c.debug != "") {
			t.Errorf("%s: the stack is shown %v", name, shown)
		}
		if c.debug != "" && !strings.Contains(errs.String(), "fall") {
			t.Errorf("%s: not the stack of the panic", name)
		}
	}
}
