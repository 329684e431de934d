package space_test

import (
	"math"
	"os"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/space"
)

// measure measures the file at path.
func measure(t testing.TB, path string) *space.Measurement {
	t.Helper()
	m, err := space.Measure(t.Context(), testdb.Open(t, path), func(*space.Measurement) {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// exec runs statements on a file as another program would.
func exec(t testing.TB, path string, statements ...string) {
	t.Helper()
	w, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, s := range statements {
		if err := w.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// reclaimedBytes returns the real size of a file after its search tables are merged and its pages are
// rewritten.
func reclaimedBytes(t testing.TB, path string) int64 {
	t.Helper()
	for _, table := range data.SearchTables() {
		exec(t, path, "INSERT INTO "+table+"("+table+") VALUES ('optimize')")
	}
	exec(t, path, "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// checkForecast fails unless a forecast is within one per cent of the real size.
func checkForecast(t testing.TB, forecast, size int64) {
	t.Helper()
	wrong := float64(forecast-size) / float64(size) * 100
	t.Logf("forecast %d, real %d: %+.2f %%", forecast, size, wrong)
	if math.Abs(wrong) > 1 {
		t.Errorf("the forecast is %d bytes and the real size %d: %.2f %% wrong", forecast, size, wrong)
	}
}

func TestTheForecastIsWithinOnePerCentOfTheRealSize(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, statements := range map[string][]string{
		"as it is": nil,
		"a third of the messages were deleted before": {
			"PRAGMA foreign_keys = OFF",
			"DELETE FROM message_parts WHERE message_id % 10 < 3", "DELETE FROM messages WHERE message_id % 10 < 3",
			"DELETE FROM messages_fts WHERE rowid % 10 < 3",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Fixture(t, "v0.15.3/rich.db")
			exec(t, path, statements...)
			forecast := space.Predict(measure(t, path), nil)
			checkForecast(t, forecast.After, reclaimedBytes(t, path))
		})
	}
}

// Whoever prunes counts what will leave each table; here that is the difference of two
// measurements of the same file.
func TestTheForecastOfARemovalIsWithinOnePerCent(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const archived = "(SELECT conversation_id FROM conversations WHERE conversation_id % 2 = 0)"
	const old = "(SELECT message_id FROM messages WHERE seq < 20)"
	for name, statements := range map[string][]string{
		"copies of texts in metadata": {
			"UPDATE message_parts SET metadata = json_remove(metadata, '$.raw') WHERE part_type = 'text' AND json_valid(metadata)",
		},
		"texts of old messages": {
			"DELETE FROM messages_fts WHERE rowid IN " + old,
			"UPDATE message_parts SET metadata = json_remove(metadata, '$.raw'), text_content = NULL, tool_input = NULL, tool_output = NULL WHERE message_id IN " + old,
			"UPDATE messages SET content = '[LCM Forgotten: user message, 2026-01-01, 120 bytes]' WHERE message_id IN " + old,
		},
		"whole conversations": {
			"PRAGMA foreign_keys = ON",
			"DELETE FROM messages_fts WHERE rowid IN (SELECT message_id FROM messages WHERE conversation_id IN " + archived + ")",
			"DELETE FROM summaries_fts WHERE summary_id IN (SELECT summary_id FROM summaries WHERE conversation_id IN " + archived + ")",
			"DELETE FROM summaries_fts_cjk WHERE summary_id IN (SELECT summary_id FROM summaries WHERE conversation_id IN " + archived + ")",
			"DELETE FROM context_items WHERE conversation_id IN " + archived,
			"DELETE FROM summary_messages WHERE message_id IN (SELECT message_id FROM messages WHERE conversation_id IN " + archived + ")",
			"DELETE FROM summary_parents WHERE summary_id IN (SELECT summary_id FROM summaries WHERE conversation_id IN " + archived + ")",
			"DELETE FROM conversations WHERE conversation_id IN " + archived,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Fixture(t, "v0.15.3/rich.db")
			before := measure(t, path)
			exec(t, path, statements...)
			after := measure(t, path)
			removal := space.Removal{}
			for table, a := range before.Rows {
				removal[table] = space.Amount{Rows: a.Rows - after.Rows[table].Rows, Bytes: a.Bytes - after.Rows[table].Bytes}
			}
			forecast := space.Predict(before, removal)
			checkForecast(t, forecast.After, reclaimedBytes(t, path))
		})
	}
}
