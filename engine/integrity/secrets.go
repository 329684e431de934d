package integrity

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
)

// checkSecrets looks for secrets in every text of the file. It is the last pass of a check, since
// it reads every table again.
func checkSecrets(ctx context.Context, file *fileScan, found *findings, report data.Report) error {
	tables, err := columntexts.Tables(ctx, file.db)
	if err != nil {
		return err
	}
	parts, err := columntexts.Divide(ctx, file.db, tables)
	if err != nil {
		return err
	}
	v := &secretVisitor{seen: redact.NewSeen(), parts: make([][]storedSecret, parts.Len())}
	if err := parts.Visit(ctx, v, "looking for secrets", report); err != nil {
		return err
	}
	unclean, err := change.UncleanRecords(ctx, file.db)
	if err != nil {
		return err
	}
	for _, r := range unclean {
		found.add(SecretStored, rowAt("lcm_tui_undo", strconv.FormatInt(r.ID, 10)), "the file isn't rewritten since this record replaced secrets: its pages may still hold them")
	}
	all := slices.Concat(v.parts...)
	places := map[redact.Secret]int{}
	for _, s := range all {
		places[s.finding.Secret]++
	}
	for _, s := range all {
		n := places[s.finding.Secret]
		if n == 0 {
			continue // It is reported with its first place.
		}
		places[s.finding.Secret] = 0
		at, err := columntexts.Locate(ctx, file.db, s.cell)
		if err != nil {
			return err
		}
		detail := fmt.Sprintf("%s: %s, %s, in %s", s.cell.Column, s.finding.Rule, plural.Count(s.finding.Secret.Len(), "character", "characters"), plural.Count(n, "place", "places"))
		found.add(SecretStored, rowAt(s.cell.Table.Name, s.cell.KeyText()), detail).Conversation = at.Conversation
	}
	return nil
}

// storedSecret is a secret in a cell.
type storedSecret struct {
	cell    columntexts.Cell
	finding redact.Finding
}

// secretVisitor collects the secrets that are sure.
type secretVisitor struct {
	seen  *redact.Seen
	parts [][]storedSecret
}

// Visit implements cells.Visitor.
func (v *secretVisitor) Visit(part int, cell columntexts.Cell, text string) {
	for _, f := range redact.Default().ScanNew(text, v.seen) {
		if f.Class == redact.Sure {
			cell.Key = slices.Clone(cell.Key)
			v.parts[part] = append(v.parts[part], storedSecret{cell, f})
		}
	}
}
