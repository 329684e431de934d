package provenance

import "strings"

// numberWords are numbers that are written as words.
var numberWords = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
	"eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70",
	"eighty": "80", "ninety": "90",
}

// units are the words for units, and the short form of each.
var units = map[string]string{
	"ms": "ms", "millisecond": "ms", "milliseconds": "ms", "msec": "ms",
	"s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "min", "mins": "min", "minute": "min", "minutes": "min",
	"h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"d": "d", "day": "d", "days": "d", "week": "w", "weeks": "w",
	"%": "%", "percent": "%",
	"b": "b", "byte": "b", "bytes": "b", "kb": "kb", "kib": "kb", "mb": "mb", "mib": "mb", "gb": "gb", "gib": "gb", "tb": "tb",
}

// months are the English names of months by their first three letters.
var months = map[string]string{
	"jan": "01", "feb": "02", "mar": "03", "apr": "04", "may": "05", "jun": "06", "jul": "07", "aug": "08", "sep": "09",
	"oct": "10", "nov": "11", "dec": "12",
}

// numberKey returns a number without the signs between its thousands.
func numberKey(chunk string) string { return strings.ReplaceAll(chunk, ",", "") }

// splitUnit splits 8s, 40mb and 8-second into their number and the short form of their unit.
func splitUnit(key string) (digits, unit string) {
	i := 0
	for i < len(key) && (isDigit(key[i]) || key[i] == '.') {
		i++
	}
	if i == 0 || i == len(key) {
		return "", ""
	}
	return key[:i], units[strings.TrimPrefix(key[i:], "-")]
}

// joinUnits makes one token of a number and its unit, so that 8s, 8 s and eight seconds are
// equal, and gives the day of a month its date.
func (t *tokenizer) joinUnits() {
	out := t.tokens[:0]
	for i := 0; i < len(t.tokens); i++ {
		k := t.tokens[i]
		if digits, unit := splitUnit(k.key); k.exact && unit != "" {
			if strings.HasSuffix(k.key, digits+"s") && len(digits) > 2 {
				k.alternative = digits // The plural of a number: 503s.
			}
			k.key, k.pieces = digits+unit, []string{digits}
		} else if isNumberKey(k.key) && k.weight > 0 {
			if end, unit := t.unitAfter(k.end); unit != "" {
				for i+1 < len(t.tokens) && t.tokens[i+1].start < end {
					i++
				}
				k.pieces = []string{k.key}
				k.key, k.end, k.weight = k.key+unit, end, identifierWeight
			} else if k.exact {
				k.alternative = t.dateOf(&k)
			}
		}
		out = append(out, k)
	}
	t.tokens = out
}

func isNumberKey(key string) bool {
	for i := range len(key) {
		if !isDigit(key[i]) && key[i] != '.' {
			return false
		}
	}
	return key != ""
}

// unitAfter returns the unit that follows a number after at most one blank or hyphen, and its end.
func (t *tokenizer) unitAfter(i int) (end int, unit string) {
	if byteAt(t.text, i) == '%' {
		return i + 1, "%"
	}
	if c := byteAt(t.text, i); c != ' ' && c != '-' {
		return 0, ""
	}
	i++
	end = i
	for end < len(t.text) && end-i < 12 && isLetter(t.text[end]) {
		end++
	}
	word := t.text[i:end]
	if isWordRune(firstRune(t.text[end:])) || len(word) == 1 && word != "s" && word != "h" {
		return 0, ""
	}
	return end, units[strings.ToLower(word)]
}

// dateOf returns the month and day of a number beside the name of a month, such as 04-10, or empty.
func (t *tokenizer) dateOf(k *token) string {
	if len(k.key) > 2 || strings.Contains(k.key, ".") {
		return ""
	}
	before := strings.Fields(t.text[max(0, k.start-12):k.start])
	after := strings.Fields(strings.TrimLeft(t.text[k.end:min(len(t.text), k.end+14)], "stndrh."))
	var month string
	if len(before) > 0 {
		month = monthOf(before[len(before)-1])
	}
	if month == "" && len(after) > 0 {
		month = monthOf(after[0])
	}
	if month == "" {
		return ""
	}
	if len(k.key) == 1 {
		return month + "-0" + k.key
	}
	return month + "-" + k.key
}

func monthOf(word string) string {
	word = strings.ToLower(strings.Trim(word, ".,;:()"))
	if len(word) < 3 || len(word) > 9 {
		return ""
	}
	return months[word[:3]]
}
