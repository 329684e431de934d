package columntexts

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// EachPage calls fn with every page of the file, free ones as well, as SQLite reads them: no
// file call of ours may touch a file that is open. Pages that are only in the -wal are read from
// there.
func EachPage(ctx context.Context, db *data.DB, report data.Report, fn func(number int64, page []byte)) error {
	r, err := db.OpenReader(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	var total int64
	if err := r.EachRow(ctx, "count pages", "PRAGMA page_count", nil, func(scan data.RowScanner) error { return scan(&total) }); err != nil {
		return err
	}
	const each = 4096
	for from := int64(1); from <= total; from += each {
		err := r.EachRow(ctx, "read pages", "SELECT pgno, data FROM sqlite_dbpage WHERE pgno BETWEEN ? AND ?", []any{from, from + each - 1}, func(scan data.RowScanner) error {
			var number int64
			var page []byte
			if err := scan(&number, &page); err != nil {
				return err
			}
			fn(number, page)
			return nil
		})
		if err != nil {
			return err
		}
		report(int(min(total, from+each-1)), int(total), "looking through the pages of the file")
	}
	return nil
}

// Optimize merges the index of a search table until there is nothing to merge, in short turns of a
// set: only then the tokens of replaced texts are gone from it. Call it until it returns true.
func Optimize(ctx context.Context, turn *change.Turn, search string, first bool) (done bool, err error) {
	pages, loosened := 500, false
	if first {
		pages = -pages // All of the index takes part.
	}
	for !turn.Full() {
		before, err := totalChanges(ctx, turn)
		if err != nil {
			return false, err
		}
		if _, err := turn.Exec(ctx, "INSERT INTO "+quote(search)+"("+quote(search)+", rank) VALUES ('merge', ?)", pages); err != nil {
			return false, err
		}
		after, err := totalChanges(ctx, turn)
		pages = 500
		if err == nil && after-before >= 2 { // The statement itself is one.
			continue
		}
		if err == nil && !loosened {
			if loosened, err = loosen(ctx, turn, search); loosened {
				pages = -pages
				continue
			}
		}
		return err == nil, err
	}
	return false, nil
}

// loosen has an index merged again that was merged and has kept words of deleted texts.
func loosen(ctx context.Context, turn *change.Turn, search string) (loosened bool, err error) {
	whole, small := true, false
	err = turn.EachRow(ctx, data.IndexStructureSQL(search), nil, func(scan data.RowScanner) error {
		var structure []byte
		err := scan(&structure, &small)
		whole = data.IsIndexWhole(structure)
		return err
	})
	for _, statement := range data.LoosenIndexSQL(search, small) {
		if err == nil && !whole {
			_, err = turn.Exec(ctx, statement)
		}
	}
	return err == nil && !whole, err
}

func totalChanges(ctx context.Context, turn *change.Turn) (n int64, err error) {
	err = turn.EachRow(ctx, "SELECT total_changes()", nil, func(scan data.RowScanner) error { return scan(&n) })
	return n, err
}

// minTerm is the length from which a word of a secret is looked for in the indexes: shorter ones
// stand in other texts as well.
const minTerm = 6

// Terms returns the words that a search table's index has of a text, in lower case, but those that
// may well stand in other texts: the ones with letters alone.
func Terms(text string) (terms []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(word) >= minTerm && strings.ContainsFunc(word, unicode.IsDigit) && strings.ContainsFunc(word, unicode.IsLetter) {
			terms = append(terms, word)
		}
	}
	return terms
}

// IndexHas reports whether the index of a search table has a term that no text of the table has:
// what is left of a text that was replaced.
func IndexHas(ctx context.Context, db *data.DB, search string, terms []string) (left bool, err error) {
	if len(terms) == 0 {
		return false, nil
	}
	r, err := db.OpenReader(ctx, "CREATE VIRTUAL TABLE temp.lcm_tui_terms USING fts5vocab('main', '"+search+"', 'row')")
	if err != nil {
		return false, err
	}
	defer r.Close()
	for _, term := range terms {
		var found int64
		// The end of a word may be cut off in the index.
		stem := term[:max(minTerm, len(term)-3)]
		const query = "SELECT count(*) FROM temp.lcm_tui_terms WHERE term >= ?1 AND term <= ?2 AND substr(?2, 1, length(term)) = term"
		if err := r.EachRow(ctx, "read "+search, query, []any{stem, term}, func(scan data.RowScanner) error { return scan(&found) }); err != nil {
			return false, err
		}
		if found == 0 {
			continue
		}
		var texts int64
		const content = "SELECT count(*) FROM (SELECT 1 FROM %TABLE% WHERE instr(lower(%COLUMN%), ?) LIMIT 1)"
		column := "c1"
		if search == data.MessageIndex {
			column = "c0"
		}
		stored := strings.NewReplacer("%TABLE%", quote(search+"_content"), "%COLUMN%", column).Replace(content)
		if err := r.EachRow(ctx, "read "+search, stored, []any{term}, func(scan data.RowScanner) error { return scan(&texts) }); err != nil {
			return false, err
		}
		if texts == 0 {
			return true, nil
		}
	}
	return false, nil
}
