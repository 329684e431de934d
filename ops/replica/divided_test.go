package replica_test

import (
	"os"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestDividedTables: the statements of the documentation divide a table, and rows are sent, compared and changed as before.
func TestDividedTables(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/fleet-scale.md")
	if err != nil {
		t.Fatal(err)
	}
	_, statements, _ := strings.Cut(string(page), "```sql\n")
	statements, _, found := strings.Cut(statements, "```")
	if !found {
		t.Fatal("the page has no statements")
	}
	s := newServer(t)
	if _, err := s.conn.Exec(t.Context(), "divide", statements+"RESET ROLE"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.Initialize(t.Context(), "test"); err != nil {
		t.Fatal(err)
	}
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	s.sync(db, options("laptop"))
	s.sync(db, options("box"))
	changeFile(t, path, script("UPDATE messages SET seq = seq + 1000"))
	s.sync(db, options("box"))
	if n := s.count("SELECT count(DISTINCT tableoid) FROM lcm.messages"); n != 2 {
		t.Errorf("two sources are in %d parts", n)
	}
	if n := s.count("SELECT count(*) FROM information_schema.role_table_grants WHERE table_name = 'messages' AND grantee = 'lcm_read' AND privilege_type = 'SELECT'"); n != 1 {
		t.Error("readers have no right on the divided table")
	}
}
