package secrets_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testhome"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/secrets"
)

// foundIn returns the places of the secrets in the tables of a host and of records, without what has another name at a home.
func foundIn(t *testing.T, db *data.DB) (out []string) {
	t.Helper()
	found, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
	check(t, err)
	for _, f := range found.Findings {
		if strings.Contains(f.Table, "_fts") {
			continue
		}
		conversation := int64(0)
		if f.Conversation != nil {
			conversation = *f.Conversation
		}
		out = append(out, fmt.Sprint(f.Table, " ", f.Column, " ", f.Rule, " ", f.Class, " ", f.Masked, " ", f.Length, " ", f.Count, " ", conversation, " ", f.Message, " ", f.At.Raw, " ", f.Kept))
	}
	slices.Sort(out)
	return out
}

// TestSecretsAreFoundAtAHome in every text in which they are found in a file, also by a check of the home.
func TestSecretsAreFoundAtAHome(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, address := plant(t, newPlanted()), testhome.New(t)
	testhome.Fill(t, address, path)
	home := testhome.Open(t, address)
	want := foundIn(t, testdb.Open(t, path))
	if diff := cmp.Diff(want, foundIn(t, home)); diff != "" || len(want) < 8 {
		t.Errorf("%d found: %s", len(want), diff)
	}
	d, err := integrity.Check(t.Context(), home, integrity.Request{Faults: []integrity.FaultID{integrity.SecretStored}}, nil)
	if err != nil || len(d.Findings) < 3 {
		t.Errorf("the check found %+v, %v", d.Findings, err)
	}
}
