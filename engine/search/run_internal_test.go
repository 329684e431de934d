package search

import (
	"context"
	"errors"
	"testing"
)

// TestTheFailureOfAStreamIsThatOfTheSearch, whichever of the streams it is: others may have ended before, or are ended by it.
func TestTheFailureOfAStreamIsThatOfTheSearch(t *testing.T) {
	t.Parallel()
	failure := errors.New("the server doesn't answer")
	streams := map[string]func(context.Context) error{
		"ends":  func(context.Context) error { return nil },
		"fails": func(context.Context) error { return failure },
		"waits": func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		},
	}
	for _, order := range [][]string{{"ends", "fails"}, {"waits", "ends", "fails"}, {"fails", "ends", "waits"}, {"ends", "waits", "fails"}} {
		r := &run{out: newCollector(t.Context(), func(Event) {}, Options{})}
		var lists [][]stream
		for _, name := range order {
			lists = append(lists, []stream{{MessageKind, streams[name]}})
		}
		if err := r.runStreams(t.Context(), lists...); !errors.Is(err, failure) {
			t.Errorf("%v: %v", order, err)
		}
	}
	r := &run{out: newCollector(t.Context(), func(Event) {}, Options{})}
	if err := r.runStreams(t.Context(), []stream{{MessageKind, streams["ends"]}}); err != nil {
		t.Error(err)
	}
}
