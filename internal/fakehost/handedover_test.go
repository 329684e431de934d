package fakehost_test

import (
	"testing"

	"lcm-tui/internal/fakehost"
)

// TestReplayWithPayloadInFile: a history with a message of which a payload went into a file isn't
// stored again while all texts are as they were. Once one text was replaced, all of it is, though
// every row has the hash that it had.
func TestReplayWithPayloadInFile(t *testing.T) {
	t.Parallel()
	f := fakehost.LargeFile{Name: "a.png"}
	const id = "file_0123456789abcdef"
	for name, content := range map[string]string{
		"a picture":        "look\n[User image: a.png (image/png, 70 bytes) | LCM file: " + id + "]",
		"a user's file":    f.Reference(id, 3000),
		"a tool's output":  f.Output(id, "exec", 3000),
		"a whole message":  "[LCM Raw Payload: " + id + " | role=user | reason=large_raw_message | 3,000 bytes]",
		"no payload moved": "the id " + id + " of a file",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := begin(t, fakehost.Head, fakehost.Defaults())
			history := turns(0, 60, true)
			history[6].Content = content
			must[[]int64](t)(h.Append(1, history...))
			history = must[[]fakehost.Message](t)(h.History(1))
			if added := must[int](t)(h.Replay(1, history)); added != 0 {
				t.Errorf("%d came while nothing was replaced", added)
			}
			change(t, h, "UPDATE messages SET content = 'stub' WHERE seq = 3")
			want := 60
			if name == "no payload moved" {
				want = 0
			}
			if added := must[int](t)(h.Replay(1, history)); added != want {
				t.Errorf("%d came, want %d", added, want)
			}
		})
	}
}
