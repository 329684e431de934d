package ui

import (
	"strings"

	"lcm-tui/internal/characters"
)

// UnderlineOn begins what UnderlineMatches and UnderlineFound underline.
const UnderlineOn = "\x1b[4m"

// UnderlineOff ends it.
const UnderlineOff = "\x1b[24m"

// UnderlineMatches underlines every place in styled, which may hold ANSI styles, where its
// text reads needle in whatever case. Only whole characters as the reader sees
// them (grapheme clusters) are underlined.
func UnderlineMatches(styled, needle string) string {
	if needle == "" {
		return styled
	}
	parts := splitPieces(styled)
	return underline(styled, parts, matches(parts, strings.ToLower(needle)))
}

// UnderlineFound underlines what find finds in the text of styled, which may hold ANSI styles.
// find returns the first byte and the byte after the last one of each place.
func UnderlineFound(styled string, find func(text string) [][2]int) string {
	parts := splitPieces(styled)
	var text strings.Builder
	for _, p := range parts {
		if !p.code {
			text.WriteString(p.text)
		}
	}
	places := find(text.String())
	if len(places) == 0 {
		return styled
	}
	hits, at := make([]bool, len(parts)), 0
	for i, p := range parts {
		if p.code {
			continue
		}
		for _, place := range places {
			hits[i] = hits[i] || at < place[1] && place[0] < at+len(p.text)
		}
		at += len(p.text)
	}
	return underline(styled, parts, hits)
}

// underline underlines the pieces of styled that are hits; nil is none.
func underline(styled string, parts []piece, hits []bool) string {
	if hits == nil {
		return styled
	}
	var b strings.Builder
	b.Grow(len(styled) + 32)
	on := false
	for i, p := range parts {
		if !p.code && hits[i] != on {
			on = !on
			b.WriteString(map[bool]string{true: UnderlineOn, false: UnderlineOff}[on])
		}
		b.WriteString(p.text)
		if p.code && on { // A style may have taken the line away.
			b.WriteString(UnderlineOn)
		}
	}
	if on {
		b.WriteString(UnderlineOff)
	}
	return b.String()
}

// piece is one grapheme cluster, or one escape sequence.
type piece struct {
	text string
	code bool
}

func splitPieces(s string) []piece {
	out := make([]piece, 0, len(s))
	for s != "" {
		p := firstPiece(s)
		out, s = append(out, p), s[len(p.text):]
	}
	return out
}

func firstPiece(s string) piece {
	if s[0] < ' ' || s[0] == 0x7f {
		return piece{characters.Next(s, 0).Text, true}
	}
	c, _ := characters.First(s)
	return piece{c, false}
}

// matches tells for each piece whether it is part of a match; nil if none is.
func matches(parts []piece, needle string) []bool {
	var text strings.Builder
	var owner []int // The piece of each byte of text.
	for i, p := range parts {
		if p.code {
			continue
		}
		text.WriteString(strings.ToLower(p.text))
		for len(owner) < text.Len() {
			owner = append(owner, i)
		}
	}
	var hits []bool
	for at, low := 0, text.String(); ; {
		n := strings.Index(low[at:], needle)
		if n < 0 {
			return hits
		}
		if hits == nil {
			hits = make([]bool, len(parts))
		}
		for _, i := range owner[at+n : at+n+len(needle)] {
			hits[i] = true
		}
		at += n + len(needle)
	}
}
