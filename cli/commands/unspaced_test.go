package commands_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/internal/testpostgres"
)

// TestAHomeFindsWritingsWithoutBlanks by its index, which has the pairs of characters of words.
func TestAHomeFindsWritingsWithoutBlanks(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
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

// TestAServerGrepsSummariesWithoutBlanksAsAFile: with the same snippets, and the best first where a sort asks for it.
func TestAServerGrepsSummariesWithoutBlanksAsAFile(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, address := testdb.Sample(t, fakehost.Head), testhome.New(t)
	testdb.Execute(t, path,
		"UPDATE summaries SET content = content || ' 请先备份数据库，然后重试。 A much longer sentence stands here. ' || content || char(12363, 12441, 12365)",
		"UPDATE summaries SET content = '数据库 数据库 数据库', latest_at = '2020-01-01 09:00:00' WHERE rowid = (SELECT min(rowid) FROM summaries)",
		"UPDATE summaries SET latest_at = substr(latest_at, 1, 10) || ' 23:00:00' WHERE rowid = (SELECT max(rowid) FROM summaries)",
		"DELETE FROM summaries_fts_cjk", "INSERT INTO summaries_fts_cjk (summary_id, content) SELECT summary_id, content FROM summaries")
	testhome.Fill(t, address, path)
	h := newHomeRun(t, "")
	for _, words := range [][]string{
		{"数据库"}, {"备份数据库 longer"}, {"数据库然后重试"}, {"か\u3099き"}, {"数据库", "--sort", "relevance", "--limit", "1"}, {"数据库", "--limit", "2"},
	} {
		answer := func(db string) string {
			_, printed := h.tryWords("", append(append([]string{"grep"}, words...), "--mode", "full_text", "--scope", "summaries", "--all", "--db", db)...)
			_, found, _ := strings.Cut(printed, "### Summaries")
			found, _, _ = strings.Cut(found, "lcm-tui: warning") // Ranks are estimates.
			return strings.TrimSpace(found)
		}
		if want, got := answer(path), answer(address); got != want || want == "" {
			t.Errorf("%q: the home answers\n%s\nand the file\n%s", words, got, want)
		}
	}
}
