package home

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/reading"
)

// maxWordBytes is how long statements with words may be that wait for the COMMIT of their transaction.
const maxWordBytes = 1 << 20

// wordWriter keeps, for each transaction, the words of the texts that it wrote. They are written with its COMMIT, so that they take no
// round trip of their own.
type wordWriter struct {
	sync.Mutex
	indexer postgres.SearchIndexer // One for all: it keeps the stems of many words.
	open    map[*sql.Conn]*wordStatements
}

// add adds texts to those of a connection's transaction, and returns how many it took, and the statements that are to be run
// before more are added.
func (w *wordWriter) add(conn *sql.Conn, texts []data.HomeText) (n int, statements []string) {
	w.Lock()
	defer w.Unlock()
	s := w.open[conn]
	if s == nil {
		s = &wordStatements{indexer: &w.indexer}
		w.open[conn] = s
	}
	for n < len(texts) && s.bytes < maxWordBytes {
		s.add(texts[n])
		n++
	}
	if s.bytes < maxWordBytes {
		return n, nil
	}
	return n, s.statements()
}

// take returns the statements that a transaction still has to run, and forgets it.
func (w *wordWriter) take(conn *sql.Conn) []string {
	w.Lock()
	defer w.Unlock()
	s := w.open[conn]
	if s == nil {
		return nil
	}
	delete(w.open, conn)
	return s.statements()
}

// index implements data.Home's Index.
func (w *wordWriter) index(ctx context.Context, conn *sql.Conn, texts []data.HomeText) error {
	for len(texts) > 0 {
		n, statements := w.add(conn, texts)
		if texts = texts[n:]; len(statements) == 0 {
			continue
		}
		err := onPlain(conn, func(plain reading.PlainConnection) error {
			for _, statement := range statements {
				plain.Queue(statement)
			}
			return plain.Flush(ctx)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// wordStatements are statements that bring search_docs into step with texts. The zero value has none.
type wordStatements struct {
	indexer *postgres.SearchIndexer
	places  map[string]int // Of the texts, by their keys.
	texts   []wordText
	bytes   int
}

// wordText is a text as search_docs gets it.
type wordText struct {
	column, key string // As SQL; the key is a literal.
	isNew       bool
	rows        string // Empty where nothing of it is searched.
}

// add adds a text. A later one of the same row takes its place.
func (s *wordStatements) add(t data.HomeText) {
	kind, own := "message", wordText{column: "message_id", key: strconv.FormatInt(t.Message, 10), isNew: t.IsNew}
	text, _ := data.MessageIndexText(t.Text).(string)
	keys := own.key + ", NULL, "
	if t.Summary != "" {
		kind, text = "summary", t.Text
		own.column, own.key = "summary_id", postgres.Literal(encodeText(t.Summary))
		keys = "NULL, " + own.key + ", "
	}
	if text != "" {
		var b strings.Builder
		pieces := s.indexer.Pieces(text, postgres.SearchLabel(kind, postgres.HomeSource))
		for i, p := range pieces {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString("('" + kind + "', " + keys + instant(t.At) + ", " + strconv.Itoa(i) + ", " + strconv.Itoa(len(pieces)) + ", " + postgres.Literal(p.Vector.Text()) + ")")
		}
		own.rows = b.String()
	}
	if s.places == nil {
		s.places = map[string]int{}
	}
	s.bytes += len(own.rows) + len(own.key)
	if at, ok := s.places[own.key]; ok {
		s.texts[at] = own
		return
	}
	s.places[own.key] = len(s.texts)
	s.texts = append(s.texts, own)
}

// statements returns them, and forgets the texts.
func (s *wordStatements) statements() (out []string) {
	old := map[string][]string{}
	var rows []string
	for _, t := range s.texts {
		if !t.isNew {
			old[t.column] = append(old[t.column], t.key)
		}
		if t.rows != "" {
			rows = append(rows, t.rows)
		}
	}
	for _, column := range []string{"message_id", "summary_id"} {
		if len(old[column]) > 0 {
			out = append(out, "DELETE FROM home.search_docs WHERE "+column+" IN ("+strings.Join(old[column], ", ")+")")
		}
	}
	if len(rows) > 0 {
		out = append(out, "INSERT INTO home.search_docs (kind, message_id, summary_id, at, piece, pieces, content_tsv) VALUES "+strings.Join(rows, ", "))
	}
	s.texts, s.places, s.bytes = nil, nil, 0
	return out
}

// instant returns a time as a literal. The server knows none before the year 1 in this form.
func instant(at time.Time) string {
	switch {
	case at.IsZero():
		return "NULL"
	case at.Year() < 1:
		return "'-infinity'"
	}
	return "'" + at.UTC().Format("2006-01-02 15:04:05.999999") + "Z'"
}
