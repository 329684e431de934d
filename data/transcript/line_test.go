package transcript_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testlength"
)

// TestTooLongLine: a line that is longer than any message costs only itself, wherever
// it stands.
func TestTooLongLine(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const size = 65 << 20
	for name, rest := range map[string]string{
		"between others":          "\n" + claw("b", "a", "2") + "\n",
		"the last one, not ended": "",
	} {
		path := written(t, header, claw("a", "", "1"))
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		begin, err := f.Seek(0, 2)
		if err == nil {
			_, err = f.WriteAt([]byte(rest), begin+size) // A hole reads as NULs.
		}
		if rest == "" && err == nil {
			err = f.Truncate(begin + size)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		_, got := read(t, path)
		want := reading{Entries: []string{user("a", "1")}, Bad: []int64{3}}
		if rest != "" {
			want.Entries = append(want.Entries, user("b", "2"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// TestNoTranscript: a file that holds nothing known is refused after its first lines,
// however large it is.
func TestNoTranscript(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := written(t, strings.Repeat("x", 100))
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	var unknown *transcript.UnknownError
	if _, err := transcript.Open(t.Context(), path); !errors.As(err, &unknown) {
		t.Errorf("opened, or failed with %v; want an error that says that it is of no known kind", err)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := transcript.Open(stopped, path); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while a long line is read: %v", err)
	}
}

// TestByteOrderMark: the mark at the beginning of a file that a program of Windows wrote is no part of its first line.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	f, got := read(t, written(t, "\ufeff"+meta, item(`{"type":"message","role":"user","content":"hello"}`)))
	if f.Session.ID != "s3" || len(got.Entries) != 1 || len(got.Bad) != 0 {
		t.Errorf("session %q, read %+v", f.Session.ID, got)
	}
}
