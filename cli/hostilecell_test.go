package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// hostileCells are scripts that write what no host writes into cells that are counted, named or compared.
var hostileCells = []string{
	"UPDATE message_parts SET text_content = x'001b5b41ff' WHERE ordinal = 0",
	"UPDATE messages SET token_count = 9223372036854775807",
	"UPDATE messages SET created_at = char(27, 91, 155, 8238); UPDATE message_parts SET ordinal = char(27, 91, 155, 8238) WHERE rowid = 1",
}

// TestHostileCellsInSizesPrunesAndDifferences: bytes in the place of a text, numbers whose sum is too large
// and characters that a terminal obeys end no command by a failed statement, and reach no terminal.
func TestHostileCellsInSizesPrunesAndDifferences(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, script := range hostileCells {
		path := testdb.Sample(t, fakehost.Head)
		other := testdb.Copy(t, path)
		if err := faults.Alter(path, script); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"space"},
			{"prune", "copies", "--older-than", "1d"},
			{"prune", "conversations", "--archived"},
			{"diff", other, "1"},
			{"export", "1", "--format", "markdown", "--to", filepath.Join(t.TempDir(), "page.md")},
			{"export", "1", "--format", "markdown"},
		} {
			exit, out, errs := run(t, path, args...)
			if output := out + errs; strings.Contains(output, "refused the statement") || output == "" {
				t.Errorf("%s: %v: exit code %d: %s", script, args, exit, output)
			}
			if i := strings.IndexFunc(out+errs, obeyed); i >= 0 {
				t.Errorf("%s: %v prints %q", script, args, (out + errs)[i:min(len(out+errs), i+40)])
			}
		}
	}
}

// obeyed reports whether a terminal obeys a character instead of showing it.
func obeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
}
