package fakehost

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
)

// fingerprint returns the host's hash of a kind of thing and its parts, each behind a NUL.
func fingerprint(kind string, parts ...any) string {
	h := sha256.New()
	_, _ = io.WriteString(h, kind) // A hash takes everything.
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "\x00%v", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// itemFingerprint returns that of a place of a context and of what stands there.
func (h *Host) itemFingerprint(i item) (string, error) {
	var at, content string
	if i.summary != "" {
		var depth, tokens int64
		err := h.Read([]any{&depth, &tokens, &at, &content}, "SELECT depth, token_count, created_at, content FROM summaries WHERE summary_id = ?", i.summary)
		return fingerprint("pending-summary-item", i.ordinal, i.summary, depth, tokens, millis(at), fingerprint("summary-content", content)), err
	}
	var seq, tokens int64
	var role string
	err := h.Read([]any{&seq, &role, &tokens, &at, &content}, "SELECT seq, role, token_count, created_at, content FROM messages WHERE message_id = ?", i.message)
	return fingerprint("pending-message-item", i.ordinal, i.message, seq, role, tokens, millis(at), fingerprint("message-content", content)), err
}

// millis returns a stored time in the form that fingerprints take.
func millis(stored string) string {
	stored = strings.TrimSpace(stored)
	if strings.Contains(stored, "T") {
		return stored
	}
	if t, err := time.Parse(time.DateTime, stored); err == nil {
		return t.Format("2006-01-02T15:04:05.000Z")
	}
	return strings.Replace(stored, " ", "T", 1) + "Z"
}

// itemFingerprints returns the fingerprints of the places from start to end, in order.
func (h *Host) itemFingerprints(conv, start, end int64) (out []any, ordinals []int64, err error) {
	items, err := h.context(conv)
	for _, i := range items {
		if err != nil || i.ordinal < start || i.ordinal > end {
			continue
		}
		var p string
		p, err = h.itemFingerprint(i)
		out, ordinals = append(out, p), append(ordinals, i.ordinal)
	}
	return out, ordinals, err
}

// rangeFingerprint returns that of what a batch of 1.0 is about.
func (h *Host) rangeFingerprint(conv, start, end int64) (string, error) {
	prints, ordinals, err := h.itemFingerprints(conv, start, end)
	parts := []any{conv, start, end}
	for i, p := range prints {
		parts = append(parts, fmt.Sprintf("%d:%s", ordinals[i], p))
	}
	return fingerprint("pending-projection-range", parts...), err
}

// nodeFingerprints returns those of what a node summarises, and of its place.
func (h *Host) nodeFingerprints(conv, start, end int64) (source, place string, err error) {
	prints, _, err := h.itemFingerprints(conv, start, end)
	return fingerprint("pending-node-source", prints...), fingerprint("pending-node-context", append([]any{start, end}, prints...)...), err
}
