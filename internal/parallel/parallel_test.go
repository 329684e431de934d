package parallel_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"lcm-tui/internal/parallel"
)

// TestAPanicComesToWhoWaits, once all the others have ended, with the stack of where it was.
func TestAPanicComesToWhoWaits(t *testing.T) {
	t.Parallel()
	var ended atomic.Int32
	err := parallel.Call(func() error {
		var g parallel.Group
		for i := range 5 {
			g.Go(func() {
				defer ended.Add(1)
				if i == 2 {
					fall()
				}
			})
		}
		g.Wait()
		return nil
	})
	var p *parallel.PanicError
	if !errors.As(err, &p) || err.Error() != "internal error: out of range" || ended.Load() != 5 {
		t.Fatalf("%v, %d ended", err, ended.Load())
	}
	if !strings.Contains(string(p.Stack), "fall") {
		t.Errorf("the stack is another's:\n%s", p.Stack)
	}
}

func fall() { panic("out of range") }

func TestWithoutAPanic(t *testing.T) {
	t.Parallel()
	var g parallel.Group
	ran := false
	g.Go(func() { ran = true })
	g.Wait()
	want := errors.New("a mere error")
	if err := parallel.Call(func() error { return want }); !errors.Is(err, want) || !ran {
		t.Error(err, ran)
	}
}
