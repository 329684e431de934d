package fakehost

// Estimate counts the tokens of a text as the engine does since 0.8: a quarter for a
// letter, one and a half for a CJK letter, two for anything beyond the basic plane.
func Estimate(text string) int {
	quarters := 0
	for _, r := range text {
		switch {
		case isCJK(r):
			quarters += 6
		case r > 0xFFFF:
			quarters += 8
		default:
			quarters++
		}
	}
	return (quarters + 3) / 4
}

// EstimateOld counts as engines before 0.8 did: a quarter for each UTF-16 unit.
func EstimateOld(text string) int {
	units := 0
	for _, r := range text {
		if r > 0xFFFF {
			units++
		}
		units++
	}
	return (units + 3) / 4
}

// tokens counts by the estimator of the file's generation.
func (h *Writer) tokens(text string) int {
	if h.Has("lcm_migration_state") {
		return Estimate(text)
	}
	return EstimateOld(text)
}

// cjkRanges are the ranges that count as CJK.
var cjkRanges = [][2]rune{
	{0x4E00, 0x9FFF},
	{0x3400, 0x4DBF},
	{0x20000, 0x2A6DF},
	{0x2A700, 0x2B73F},
	{0x2B740, 0x2B81F},
	{0x2B820, 0x2CEAF},
	{0x2CEB0, 0x2EBEF},
	{0x3000, 0x303F},
	{0x3040, 0x30FF},
	{0xAC00, 0xD7AF},
	{0xFF00, 0xFFEF},
}

func isCJK(r rune) bool {
	if r < 0x3000 {
		return false
	}
	for _, w := range cjkRanges {
		if r >= w[0] && r <= w[1] {
			return true
		}
	}
	return false
}
