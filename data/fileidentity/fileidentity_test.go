package fileidentity_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestIdentityKnowsADatabaseAgain: a copy under another path that was rewritten and has grown is
// known again; one whose schema changed is stale; one with other conversations is another.
func TestIdentityKnowsADatabaseAgain(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	id, err := fileidentity.Read(t.Context(), db)
	if err != nil || len(id.Sample) != 2 || id.Rows["messages"] == 0 || len(id.SchemaSHA256) != 64 || id.PageSize == 0 || id.Path != path {
		t.Fatalf("%+v, %v", id, err)
	}
	if err := fileidentity.Check(t.Context(), db, id); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var stale *data.StaleError
	for name, c := range map[string]struct {
		statements []string
		known      func(error) bool
	}{
		"rewritten":         {[]string{"VACUUM"}, func(err error) bool { return err == nil }},
		"analysed":          {[]string{"ANALYZE"}, func(err error) bool { return err == nil }},
		"a record of ours":  {[]string{"CREATE TABLE lcm_tui_undo (id INTEGER PRIMARY KEY)", "CREATE INDEX i ON lcm_tui_undo (id)"}, func(err error) bool { return err == nil }},
		"the first is gone": {[]string{"PRAGMA foreign_keys = OFF", "DELETE FROM conversations WHERE conversation_id = 1"}, func(err error) bool { return err == nil }},
		"migrated":          {[]string{"ALTER TABLE messages ADD COLUMN later TEXT"}, func(err error) bool { return errors.As(err, &stale) }},
		"another one":       {[]string{"UPDATE conversations SET created_at = '2020-01-01 00:00:00' WHERE conversation_id = 2"}, func(err error) bool { return errors.Is(err, fileidentity.ErrOtherDatabase) }},
		"all are gone":      {[]string{"PRAGMA foreign_keys = OFF", "DELETE FROM conversations"}, func(err error) bool { return errors.Is(err, fileidentity.ErrOtherDatabase) }},
	} {
		other := testdb.Copy(t, path)
		testdb.Execute(t, other, c.statements...)
		if err := fileidentity.Check(t.Context(), testdb.Open(t, other), id); !c.known(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
