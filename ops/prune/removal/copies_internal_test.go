package removal

import (
	"fmt"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestCopiesAreCountedAsTheyAreDropped: counting looks at bytes, because that is quicker; it finds
// the parts that dropping finds, whatever their metadata are.
func TestCopiesAreCountedAsTheyAreDropped(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	host, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	const raw = `'"raw":{"type":"text","text":' || json_quote(text_content) || '}}'`
	for i, metadata := range []string{
		`'{' || ` + raw, `'{"a":1,' || ` + raw, `'{"a":1,,' || ` + raw, `'{,' || ` + raw, `'{"raw":2,' || ` + raw, `'{"a":{"raw":2},' || ` + raw,
		`'{"a":1' || ` + raw, `'[1,' || ` + raw, `'{"a":"é",' || ` + raw, `'{"raw":{"type":"text","text":"other"}}'`, `NULL`, `''`, `CAST('{' || ` + raw + ` AS BLOB)`, `7`,
	} {
		if err := host.Exec(fmt.Sprintf("UPDATE message_parts SET metadata = %s WHERE part_type = 'text' AND message_id %% 16 = %d", metadata, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	counted, err := CountCopies(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	slow := `SELECT m.conversation_id, sum(x.parts), sum(x.bytes) FROM (
	SELECT p.message_id, count(*) AS parts, sum(ifnull(` + hasCopy + `, 0)) AS good, sum(ifnull(octet_length(` + copyOf + `), 0)) AS bytes
	FROM message_parts p GROUP BY p.message_id) x
	JOIN messages m ON m.message_id = x.message_id WHERE x.parts = x.good GROUP BY m.conversation_id`
	n := 0
	err = db.EachRow(t.Context(), "count", slow, nil, func(scan data.RowScanner) error {
		var conv int64
		var a Amount
		err := scan(&conv, &a.Rows, &a.Bytes)
		if counted[conv] != a {
			t.Errorf("conversation %d: %v are counted, %v can be dropped", conv, counted[conv], a)
		}
		n++
		return err
	})
	if err != nil || n == 0 || n != len(counted) {
		t.Errorf("%d conversations have copies, %d are counted, %v", n, len(counted), err)
	}
}
