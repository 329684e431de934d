package commands_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/testpostgres"
)

// TestAHomeFindsWritingsWithoutBlanks by its index, which has the pairs of characters of words.
func TestAHomeFindsWritingsWithoutBlanks(t *testing.T) {
	t.Parallel()
	address := testpostgres.Empty(t)
	h := newHomeRun(t, "")
	h.run(0, "made a home", "init --db "+address)
	path, _ := h.sessionOf("请先备份数据库 before the retry", "台帳の移行は木曜日に終わりました。", "数据在库里，先备份。", "데이터베이스를 백업했다", "a pool, and no 据 alone", "备 份 数 据")
	h.run(0, "6 messages", "backfill "+path+" --apply --db "+address)
	for pattern, want := range map[string]string{
		"备份": "1 3", "数据库": "1", "备份数据": "1", "移行は木曜日": "2", "木曜日に終": "2", "베이스": "4", "据": "1 3 5 6", "備份": "", "数据库 retry": "1",
		"数据 before": "1", "曜日は": "", "終わりました。": "2",
	} {
		for _, command := range [][]string{{"search", pattern}, {"grep", pattern, "--mode", "full_text", "--all"}} {
			_, printed := h.tryWords("", append(command, "--db", address)...)
			var found []string
			for _, m := range regexp.MustCompile(`msg[:#](\d+)`).FindAllStringSubmatch(printed, -1) {
				found = append(found, m[1])
			}
			if slices.Sort(found); strings.Join(found, " ") != want || strings.Contains(printed, "one by one") {
				t.Errorf("%q finds %q, want %q:\n%s", command, found, want, printed)
			}
		}
	}
}
