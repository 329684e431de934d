package agents_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// cancelling is an error output that cancels the program when a job has ended.
type cancelling struct {
	bytes.Buffer
	cancel func()
}

func (c *cancelling) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "compaction of conversation") {
		c.cancel()
	}
	return c.Buffer.Write(b)
}

// TestAfterACancelWorkShowsWhatWasDone, and not that nothing was.
func TestAfterACancelWorkShowsWhatWasDone(t *testing.T) {
	t.Parallel()
	db := testdb.Sample(t, fakehost.V0_15)
	env := map[string]string{"LCM_DATABASE_PATH": db, "HOME": filepath.Dir(db)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	errs := &cancelling{cancel: cancel}
	exit := cli.Main(ctx, []string{"work", "run", "1", "--set", "freshTailCount=2", "--set", "leafChunkTokens=100"}, cli.System{
		In: strings.NewReader(""), Out: &out, Err: errs, WorkDir: env["HOME"], Env: func(name string) string { return env[name] },
	}, commands.Rooms...)
	if exit != 130 || strings.Contains(out.String(), "nothing was done") || !strings.Contains(out.String(), "record 1") {
		t.Errorf("%d, %s%s", exit, out.String(), errs.String())
	}
}
