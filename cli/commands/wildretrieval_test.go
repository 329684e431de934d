package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// wildAnswer is what a tool of the reference engine answered, as retrieval.json has it.
type wildAnswer struct {
	Tool   string
	Params struct {
		ConversationID                      *int64
		Pattern, Mode, Scope, Sort, ID      string
		Limit, TokenCap, StartLine, EndLine int64
		ExpandFileMaxBytes                  int64
		ExpandFile, IncludeMessages         bool
		SummaryIDs                          []string
		Query                               string
		MaxDepth                            *int64
	}
	Error, Text string
}

// args returns the command line that asks the same.
func (a wildAnswer) args() []string {
	p := a.Params
	args := []string{strings.TrimPrefix(a.Tool, "lcm_")}
	if a.Tool == "lcm_expand" {
		args = append(args, p.SummaryIDs...)
	}
	if p.ID != "" {
		args = append(args, p.ID)
	}
	if p.ConversationID != nil {
		args = append(args, "--conversation", fmt.Sprint(*p.ConversationID))
	} else {
		args = append(args, "--all")
	}
	for flag, text := range map[string]string{"--mode": p.Mode, "--scope": p.Scope, "--sort": p.Sort, "--query": p.Query} {
		if text != "" {
			args = append(args, flag, text)
		}
	}
	for flag, n := range map[string]int64{"--limit": p.Limit, "--token-cap": p.TokenCap, "--start-line": p.StartLine, "--end-line": p.EndLine, "--max-bytes": p.ExpandFileMaxBytes} {
		if n != 0 {
			args = append(args, flag, fmt.Sprint(n))
		}
	}
	if p.ExpandFile {
		args = append(args, "--expand-file")
	}
	if p.IncludeMessages && p.Query == "" {
		args = append(args, "--messages")
	}
	if a.Tool == "lcm_expand" {
		depth := int64(3)
		if p.MaxDepth != nil {
			depth = *p.MaxDepth
		}
		args = append(args, "--depth", fmt.Sprint(depth))
	}
	if a.Tool == "lcm_grep" {
		args = append(args, "--", p.Pattern)
	}
	return args
}

// isGrants reports whether the answer is about a grant of the caller, which the commands don't have.
func (a wildAnswer) isGrants() bool {
	return strings.Contains(a.Text, "outside delegated") || a.Tool == "lcm_expand" && a.Params.MaxDepth != nil && *a.Params.MaxDepth > 3
}

// answeredAt is the clock of when the reference engine was asked: hybrid counts ages from there.
func answeredAt() time.Time { return time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC) }

// TestTextsOfOddConversations: grep, describe and expand print what the reference engine's tools
// answered about conversations of odd shapes, byte for byte, and fail where they failed.
func TestTextsOfOddConversations(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, path := range testdb.FixtureFiles(t, filepath.Join("wild", "*.goldens", "retrieval.json")) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			var want struct{ Tools []wildAnswer }
			b, err := os.ReadFile(path)
			if err == nil {
				err = json.Unmarshal(b, &want)
			}
			if err != nil || len(want.Tools) == 0 {
				t.Fatalf("%d answers: %v", len(want.Tools), err)
			}
			source := strings.TrimSuffix(filepath.Dir(path), ".goldens")
			db, files := testdb.Copy(t, source+".db"), filepath.Join(filepath.Dir(source), "lcm-files-"+filepath.Base(source))
			moveFiles(t, db, files)
			env := map[string]string{"LCM_DATABASE_PATH": db, "HOME": filepath.Dir(db), "LCM_LARGE_FILES_DIR": files, "TZ": "UTC"}
			for i, a := range want.Tools {
				if a.isGrants() || !testlength.Runs(i) {
					continue
				}
				var out, errs bytes.Buffer
				exit := cli.Main(t.Context(), a.args(), cli.System{
					In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return env[name] }, Now: answeredAt,
				}, commands.Rooms...)
				failed := a.Error != "" || strings.HasPrefix(a.Text, "{\n  \"error\"")
				switch {
				case failed && exit == 0:
					t.Errorf("%q: no error, want %s%s", a.args(), a.Error, a.Text)
				case !failed && strings.TrimRight(out.String(), "\n") != strings.TrimRight(a.Text, "\n"):
					t.Errorf("%q: exit %d\n%s%s\nwant\n%s", a.args(), exit, out.String(), errs.String(), a.Text)
				}
			}
		})
	}
}

// moveFiles tells a database that its large files are in another folder.
func moveFiles(t *testing.T, db, folder string) {
	t.Helper()
	h, err := fakehost.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("UPDATE large_files SET storage_uri = ? || substr(storage_uri, instr(storage_uri, '/' || ?) + 1 + length(?))", folder, filepath.Base(folder), filepath.Base(folder)); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}
