package follow_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/backfill"
)

// noting keeps positions, and notes up to where the file was looked at last.
type noting struct {
	kept map[string]backfill.Position
	seen *int64
}

func (n noting) Position(_ context.Context, path string) (p backfill.Position, ok bool, err error) {
	p, ok = n.kept[path]
	return p, ok, nil
}

func (n noting) SetPosition(_ context.Context, path string, p backfill.Position) error {
	n.kept[path], *n.seen = p, p.Seen
	return nil
}

// TestALastLineWithoutAnEnd: one that is whole is imported when the file is quiet, once, and a half one is nothing that
// is left to import. What follows gives the rows of one import.
func TestALastLineWithoutAnEnd(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	// An answer that goes on after it was quiet is two messages.
	const texts = "SELECT m.role, p.part_type, p.text_content, p.tool_name FROM message_parts p JOIN messages m USING (message_id) ORDER BY m.seq, p.ordinal"
	for name, session := range map[string]func(*rand.Rand, int) []string{"claude": claudeSession, "codex": codexSession, "gemini": geminiSession} {
		lines := session(rand.New(rand.NewPCG(7, 7)), 5)
		whole := strings.Join(lines, "\n") + "\n"
		straight := newFollowed(t)
		straight.write("s9.jsonl", whole)
		straight.again(false)
		for n := 2; n < len(lines); n += 4 {
			f := newFollowed(t)
			quiet, seen := f.now, int64(0)
			f.Positions = noting{kept: map[string]backfill.Position{}, seen: &seen}
			begun := strings.Join(lines[:n], "\n")
			for _, step := range []struct {
				text   string
				quiet  bool
				isSeen bool
			}{{begun, false, false}, {begun, true, true}, {begun + "\n" + lines[n][:9], false, false}, {begun + "\n" + lines[n][:9], true, true}, {whole, true, true}} {
				f.now, seen = time.Now(), 0
				if step.quiet {
					f.now = quiet
				}
				f.write("s9.jsonl", step.text)
				f.again(false)
				if is := seen == int64(len(step.text)); is != step.isSeen && f.count(countMessages) > 0 {
					t.Errorf("%s, %d lines: seen %d of %d bytes, quiet: %t", name, n, seen, len(step.text), step.quiet)
				}
			}
			got, want := testdb.Rows(t, f.DB.Path(), texts), testdb.Rows(t, straight.DB.Path(), texts)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, %d lines: got\n%s\nwant\n%s", name, n, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}
