package integrity_test

import (
	"fmt"
	"strings"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/testlength"
)

// TestMessages: what is wrong with a message or its parts, and what only looks so.
func TestMessages(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	message := func(id int64, set string) string {
		return fmt.Sprintf("UPDATE messages SET %s WHERE message_id = %d", set, id)
	}
	part := func(id int64, set string) string {
		return fmt.Sprintf("UPDATE message_parts SET %s WHERE message_id = %d", set, id)
	}
	many := func(n int) string {
		return fmt.Sprintf("UPDATE messages SET created_at = '2026-01-05 09:02:00' WHERE message_id <= %d", n)
	}
	media := `'{"raw":"data:image/png;base64,` + strings.Repeat("A", 1<<16) + `"}'`
	checkDamages(t, 1, map[string]damage{
		"no text and no parts":              {[]string{message(51, "content = ' '"), "DELETE FROM message_parts WHERE message_id = 51"}, integrity.MessageEmpty, integrity.Error},
		"no text, out of the context":       {[]string{message(7, "content = ' '"), "DELETE FROM message_parts WHERE message_id = 7"}, integrity.MessageEmpty, integrity.Info},
		"no text, and a part":               {[]string{message(51, "content = ''")}, integrity.MessageEmpty, ""},
		"text and no parts":                 {[]string{"DELETE FROM message_parts WHERE message_id = 51"}, integrity.MessageWithoutParts, integrity.Warn},
		"a count of zero":                   {[]string{message(51, "token_count = 0")}, integrity.MessageTokensMissing, integrity.Error},
		"a negative count":                  {[]string{message(51, "token_count = -4")}, integrity.MessageTokensMissing, integrity.Error},
		"a count that is no number":         {[]string{message(51, "token_count = 'some'")}, integrity.MessageTokensMissing, integrity.Error},
		"a count of less than half":         {[]string{message(2, "token_count = 11")}, integrity.MessageTokensWrong, integrity.Warn},
		"a count of half":                   {[]string{message(2, "token_count = 12")}, integrity.MessageTokensWrong, ""},
		"a count of much more":              {[]string{message(2, "token_count = 400")}, integrity.MessageTokensWrong, integrity.Warn},
		"a hash of another text":            {[]string{message(51, "identity_hash = 'ab'")}, integrity.IdentityHashWrong, integrity.Warn},
		"a reference with another hash":     {[]string{message(51, "content = '[LCM Tool Output: file_0123456789abcdef | tool=exec | 9 bytes]'")}, integrity.IdentityHashWrong, ""},
		"no hash":                           {[]string{message(51, "identity_hash = NULL")}, integrity.IdentityHashWrong, integrity.Warn},
		"five minutes older":                {[]string{message(51, "created_at = '2026-01-05 09:55:00'")}, integrity.MessageTimeBackwards, ""},
		"more than five minutes older":      {[]string{message(51, "created_at = '2026-01-05 09:54:59'")}, integrity.MessageTimeBackwards, integrity.Warn},
		"nine messages in a second":         {[]string{many(9)}, integrity.MessageTimeOfImport, ""},
		"ten messages in a second":          {[]string{many(10)}, integrity.MessageTimeOfImport, integrity.Warn},
		"a time that is none":               {[]string{message(51, "created_at = 'yesterday'")}, integrity.TimeInvalid, integrity.Error},
		"a time in two days":                {[]string{message(51, "created_at = datetime('now', '+2 days')")}, integrity.TimeInvalid, integrity.Error},
		"a time in an hour":                 {[]string{message(51, "created_at = datetime('now', '+1 hour')")}, integrity.TimeInvalid, ""},
		"metadata that is no JSON":          {[]string{part(51, "metadata = '{\"a\":'")}, integrity.ContentMalformed, integrity.Error},
		"no metadata":                       {[]string{part(51, "metadata = NULL")}, integrity.ContentMalformed, ""},
		"an input that is no JSON":          {[]string{part(38, "tool_input = 'ls -l'")}, integrity.ContentMalformed, ""},
		"text as bytes":                     {[]string{message(51, "content = x'80ff'")}, integrity.ContentMalformed, integrity.Error},
		"a zero byte in a text":             {[]string{message(51, "content = 'a' || char(0) || 'b'")}, integrity.ContentMalformed, integrity.Warn},
		"parts from five on":                {[]string{part(3, "ordinal = ordinal + 5")}, integrity.PartOrdinalGaps, integrity.Warn},
		"another role in the part":          {[]string{part(51, `metadata = '{"originalRole":"assistant"}'`)}, integrity.MessageRoleWrong, integrity.Warn},
		"a role that rows never have":       {[]string{part(51, `metadata = '{"originalRole":"developer"}'`)}, integrity.MessageRoleWrong, ""},
		"a tool's role":                     {[]string{part(39, `metadata = '{"originalRole":"toolResult","toolCallId":"x"}'`)}, integrity.MessageRoleWrong, ""},
		"a picture in a part":               {[]string{part(51, "metadata = "+media)}, integrity.MediaInRow, integrity.Warn},
		"a large part without media":        {[]string{part(51, `metadata = '{"raw":"`+strings.Repeat("A", 1<<17)+`"}'`)}, integrity.MediaInRow, ""},
		"memories in a message":             {[]string{message(51, "content = '<relevant-memories>a</relevant-memories>'")}, integrity.InjectedContextStored, integrity.Warn},
		"memories, out of the context":      {[]string{message(7, "content = '<relevant-memories>a</relevant-memories>'")}, integrity.InjectedContextStored, integrity.Info},
		"memories that a host's tool found": {[]string{message(39, "content = '<relevant-memories>a</relevant-memories>'"), part(39, "tool_name = 'lcm_grep'")}, integrity.InjectedContextStored, ""},
		"a heartbeat":                       {[]string{message(50, "content = 'HEARTBEAT_OK'")}, integrity.HeartbeatStored, integrity.Info},
		"a heartbeat that somebody quotes":  {[]string{message(51, "content = 'What is HEARTBEAT_OK?'")}, integrity.HeartbeatStored, ""},
		"a file without a row":              {[]string{"DELETE FROM large_files"}, integrity.MessageFileRowMissing, integrity.Error},
		"a file that somebody speaks of":    {[]string{message(51, "content = 'What is file_00000000deadbeef?'")}, integrity.MessageFileRowMissing, ""},
		"a payload without a row":           {[]string{message(51, "large_content = 'file_00000000deadbeef'")}, integrity.PayloadFileRowMissing, integrity.Error},
		"not in the index":                  {[]string{"DELETE FROM messages_fts WHERE rowid = 51"}, integrity.MessageNotIndexed, integrity.Error},
		"blank, and not in the index":       {[]string{"DELETE FROM messages_fts WHERE rowid = 51", message(51, "content = ' '")}, integrity.MessageNotIndexed, ""},
		"another text in the index":         {[]string{message(51, "content = 'Ship it on Friday, then.'")}, integrity.MessageIndexStale, integrity.Warn},
		"a reference without its hint":      {nil, integrity.MessageIndexStale, ""},
		"a gap of seqs":                     {[]string{"DELETE FROM messages WHERE message_id = 40"}, integrity.MessageSeqGaps, integrity.Info},
	})
}
