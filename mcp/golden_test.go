package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// missing is the answer about an id that no row has.
const missing = `{
  "error": "Not found: %s",
  "hint": "Check the ID format (sum_xxx for summaries, file_xxx for files)."
}`

// TestTextsOfTheReference: a client gets the reference tools' texts byte for byte, without control
// characters, in both eras of the protocol. Their session was that of conversation 1.
func TestTextsOfTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, golden := range testdb.FixtureFiles(t, filepath.Join("*", "*.goldens", "tools.json")) {
		t.Run(strings.TrimPrefix(filepath.Dir(golden), testdb.Fixtures(t)), func(t *testing.T) {
			t.Parallel()
			var calls []struct {
				Tool   string
				Params map[string]any
				Result struct{ Content []struct{ Text string } }
			}
			b, err := os.ReadFile(golden)
			if err == nil {
				err = json.Unmarshal(b, &calls)
			}
			if err != nil {
				t.Fatal(err)
			}
			database := strings.TrimSuffix(filepath.Dir(golden), ".goldens")
			path := testdb.Copy(t, database+".db")
			before := sum(t, path)
			all := options(path)
			all.GrepTime = time.Hour // However slow the machine is.
			all.FilesDir = filepath.Join(filepath.Dir(database), "lcm-files-"+filepath.Base(database))
			session := all
			session.Scope = only(1)
			for _, version := range []string{handshakeVersion, statelessVersion} {
				everything, confined := connect(t, all, version, "claude-code"), connect(t, session, version, "claude-code")
				for _, call := range calls {
					if strings.Contains(call.Result.Content[0].Text, "only available in sub-agent sessions") {
						continue // Here every caller may expand.
					}
					client := confined
					if call.Params["allConversations"] == true {
						client = everything
					}
					text, failed := callTool(t, client, call.Tool, call.Params)
					want := retrieve.WithoutControls(call.Result.Content[0].Text)
					if id, ok := call.Params["id"].(string); ok && strings.Contains(want, "Not found in this session scope") {
						want = fmt.Sprintf(missing, id) // The server doesn't tell what it doesn't show.
					}
					if diff := cmp.Diff(want, text); diff != "" || failed != strings.HasPrefix(want, "{") {
						t.Errorf("%s %s %v: failed %v\n%s", version, call.Tool, call.Params, failed, diff)
					}
				}
			}
			if sum(t, path) != before {
				t.Error("the calls changed the file")
			}
		})
	}
}
