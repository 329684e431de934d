package retrieve

import (
	"time"

	"lcm-tui/data"
)

// parseJSTime reads a time as JavaScript's Date does in V8: first as an ISO date, then by its older rules, which take
// words, numbers and signs in nearly any order. An ISO date alone is midnight UTC, and any other time without a zone is
// local.
func parseJSTime(text string, local *time.Location) (time.Time, bool) {
	p := jsTime{tokens: scanJSTime(text)}
	rest, ok := p.readISO()
	if !ok {
		return time.Time{}, false
	}
	for some := p.day.n > 0; rest.kind != jsEnd; rest = p.next() {
		if !p.readToken(rest, &some) {
			return time.Time{}, false
		}
	}
	return p.time(local)
}

// jsTime is a time that is being read.
type jsTime struct {
	tokens []jsToken
	at     int
	day    jsDay
	clock  jsClock
	zone   jsZone
}

func (p *jsTime) peek() jsToken { return p.tokens[min(p.at, len(p.tokens)-1)] }

func (p *jsTime) next() jsToken {
	t := p.peek()
	p.at++
	return t
}

// skip passes over a symbol, if it comes next.
func (p *jsTime) skip(symbol byte) bool {
	if p.peek().isSymbol(symbol) {
		p.at++
		return true
	}
	return false
}

// number takes a number of so many digits that is at most highest, if it comes next.
func (p *jsTime) number(digits, lowest, highest int) (n int, ok bool) {
	t := p.peek()
	if t.kind != jsNumber || t.length != digits || t.value < lowest || t.value > highest {
		return 0, false
	}
	p.at++
	return t.value, true
}

// readISO reads an ISO date with or without a time of day. It returns the token from which on the older rules go on, which
// keep what was read; not ok is a time of day that neither knows.
func (p *jsTime) readISO() (rest jsToken, ok bool) {
	if first := p.peek(); first.isSign() {
		p.at++
		year, ok := p.number(6, 0, 999999)
		if !ok || first.symbol == '-' && year == 0 {
			return first, true
		}
		p.day.add(year * first.sign())
	} else if year, ok := p.number(4, 0, 9999); ok {
		p.day.add(year)
	} else {
		return p.next(), true
	}
	for _, highest := range []int{12, 31} {
		if !p.skip('-') {
			break
		}
		n, ok := p.number(2, 1, highest)
		if !ok {
			return p.next(), true
		}
		p.day.add(n)
	}
	switch {
	case p.peek().kind == jsTimeSeparator:
		p.at++
		if !p.readISOClock() || !p.readISOZone() || p.peek().kind != jsEnd {
			return jsToken{}, false
		}
	case p.peek().kind != jsEnd:
		return p.next(), true
	default:
		p.zone.set(0)
	}
	p.day.isISO = true
	return jsToken{kind: jsEnd}, true
}

// readISOClock reads the time of day of an ISO date.
func (p *jsTime) readISOClock() bool {
	hour, ok := p.number(2, 0, 24)
	if !ok || !p.skip(':') {
		return false
	}
	highest := 59
	if hour == 24 {
		highest = 0
	}
	minute, ok := p.number(2, 0, highest)
	p.clock.add(hour)
	p.clock.add(minute)
	if !ok || !p.skip(':') {
		return ok
	}
	second, ok := p.number(2, 0, highest)
	p.clock.add(second)
	if !ok || !p.skip('.') {
		return ok
	}
	t := p.next()
	p.clock.add(t.milliseconds())
	return t.kind == jsNumber && (hour < 24 || t.value == 0)
}

// readISOZone reads the zone of an ISO date, if it has one.
func (p *jsTime) readISOZone() bool {
	t := p.peek()
	switch {
	case t.isZ():
		p.at++
		p.zone.set(0)
		return true
	case !t.isSign():
		return true
	}
	p.at++
	p.zone.sign = t.sign()
	if both, ok := p.number(4, 0, 2359); ok {
		p.zone.hour, p.zone.minute = known(both/100), known(both%100)
		return both%100 < 60
	}
	hour, ok := p.number(2, 0, 23)
	if !ok || !p.skip(':') {
		return false
	}
	minute, ok := p.number(2, 0, 59)
	p.zone.hour, p.zone.minute = known(hour), known(minute)
	return ok
}

// readToken reads a token by the older rules; some says whether a number was read.
func (p *jsTime) readToken(t jsToken, some *bool) bool {
	switch {
	case t.kind == jsNumber:
		*some = true
		return p.readNumber(t.value)
	case t.kind == jsAMPM && p.clock.n > 0:
		p.clock.half = known(t.value)
	case t.kind == jsMonth:
		p.day.month = t.value
		p.skip('-')
	case t.kind == jsZoneName && *some:
		p.zone.set(t.value)
	case t.isWord(): // One that says nothing may only come before the first number, and apart from it.
		return !*some && p.peek().kind != jsNumber
	case t.isSign() && (p.zone.isUTC() || p.clock.n > 0):
		*some = true
		return p.readOffset(t.sign())
	case t.isSign() || t.isSymbol(')'):
		return !*some
	}
	return true
}

func (p *jsTime) readNumber(n int) bool {
	switch {
	case p.skip(':'):
		if p.skip(':') { // A minute of zero.
			return p.clock.n == 0 && p.clock.add(n) && p.clock.add(0)
		}
		ok := p.clock.add(n)
		p.skip('.')
		return ok
	case p.peek().isSymbol('.') && p.clock.expects(n):
		p.at++
		p.clock.add(n)
		t := p.next()
		p.clock.addLast(t.milliseconds())
		return t.kind == jsNumber
	case p.zone.hour.known && !p.zone.minute.known && n < 60:
		p.zone.minute = known(n)
		return true
	case p.clock.expects(n):
		p.clock.addLast(n)
		t := p.peek()
		return t.kind == jsEnd || t.kind == jsSpace || t.isZ() || t.isSign()
	}
	ok := p.day.add(n)
	p.skip('.')
	p.skip('-')
	return ok
}

// readOffset reads the distance from UTC behind its sign: hours, hours and minutes, or nothing.
func (p *jsTime) readOffset(sign int) bool {
	p.zone.sign = sign
	n, length := 0, 0
	if t := p.peek(); t.kind == jsNumber {
		p.at++
		n, length = t.value, t.length
	}
	switch {
	case p.peek().isSymbol(':'):
		p.zone.hour, p.zone.minute = known(n), optional{}
	case length == 1 || length == 2:
		p.zone.hour, p.zone.minute = known(n), known(0)
	case length == 3 || length == 4:
		p.zone.hour, p.zone.minute = known(n/100), known(n%100)
	default:
		return false
	}
	return true
}

// time returns what was read.
func (p *jsTime) time(local *time.Location) (time.Time, bool) {
	year, month, day, ok := p.day.date()
	const mostHours = 100_000 // Of a distance from UTC; what JavaScript makes of more is no time that anyone means.
	if !ok || !p.clock.isTime() || p.zone.hour.n > mostHours {
		return time.Time{}, false
	}
	c := p.clock.numbers
	t := time.Date(year, time.Month(month), day, p.clock.hour(), c[1], c[2], c[3]*int(time.Millisecond), time.UTC)
	if p.zone.sign == 0 {
		t = data.InZone(t, local)
	} else {
		t = t.Add(-time.Duration(p.zone.sign*(p.zone.hour.n*60+p.zone.minute.n)) * time.Minute)
	}
	const farthest = 8_640_000_000_000_000 // In milliseconds from 1970.
	ms := t.UnixMilli()
	return t, -farthest <= ms && ms <= farthest
}

// optional is a number that may be missing.
type optional struct {
	n     int
	known bool
}

func known(n int) optional { return optional{n, true} }

// jsZone is the distance from UTC; without a sign the time is local.
type jsZone struct {
	sign         int
	hour, minute optional
}

func (z *jsZone) set(hours int) {
	z.sign, z.hour, z.minute = 1, known(max(hours, -hours)), known(0)
	if hours < 0 {
		z.sign = -1
	}
}

func (z *jsZone) isUTC() bool { return z.hour == known(0) && z.minute == known(0) }

// jsClock is a time of day: hour, minute, second, millisecond, as far as they are read, and 0 or 12 for AM or PM.
type jsClock struct {
	numbers [4]int
	n       int
	half    optional
}

func (c *jsClock) add(n int) bool { return addNumber(c.numbers[:], &c.n, n) }

func (c *jsClock) addLast(n int) {
	c.add(n)
	c.n = len(c.numbers)
}

// expects reports whether a number may be the next of a time of day that has begun.
func (c *jsClock) expects(n int) bool {
	return (c.n == 1 || c.n == 2) && n < 60 || c.n == 3 && n < 1000
}

func (c *jsClock) hour() int {
	if c.half.known {
		return c.numbers[0]%12 + c.half.n
	}
	return c.numbers[0]
}

func (c *jsClock) isTime() bool {
	n := c.numbers
	if c.half.known && n[0] > 12 {
		return false
	}
	return c.hour() < 24 && n[1] < 60 && n[2] < 60 && n[3] < 1000 || c.hour() == 24 && n[1] == 0 && n[2] == 0 && n[3] == 0
}

// jsDay is a date: up to three numbers, and a month that was named.
type jsDay struct {
	numbers [3]int
	n       int
	month   int
	isISO   bool
}

func (d *jsDay) add(n int) bool { return addNumber(d.numbers[:], &d.n, n) }

// addNumber adds a number to those that are read, or reports that there is no room.
func addNumber(numbers []int, read *int, n int) bool {
	if *read == len(numbers) {
		return false
	}
	numbers[*read] = n
	*read++
	return true
}

// date returns the date that the numbers mean. Those that are missing are 1, and a year of two digits lies between 1950
// and 2049.
func (d *jsDay) date() (year, month, day int, ok bool) {
	if d.n < 1 {
		return 0, 0, 0, false
	}
	for d.n < len(d.numbers) {
		d.add(1)
	}
	isDay := func(n int) bool { return n >= 1 && n <= 31 }
	c := d.numbers
	switch {
	case d.month == 0 && (d.isISO || !isDay(c[0])):
		year, month, day = c[0], c[1], c[2]
	case d.month == 0:
		year, month, day = c[2], c[0], c[1]
	case !isDay(c[0]):
		year, month, day = c[0], d.month, c[1]
	default:
		year, month, day = c[1], d.month, c[0]
	}
	switch {
	case d.isISO || year < 0 || year > 99:
	case year < 50:
		year += 2000
	default:
		year += 1900
	}
	const most = 400_000 // No time that JavaScript knows lies in such a year.
	return year, month, day, year < most && year > -most && month >= 1 && month <= 12 && isDay(day)
}
