package assemble

import (
	"iter"
	"strings"
)

// value is a JSON value as text, exactly as JavaScript writes it: no white space,
// no HTML escapes, U+2028 as it is, half surrogates as \ud83d. So a value can be
// cut up, put together and counted without being decoded. The empty value is
// undefined.
type value string

const (
	null  value = "null"
	yes   value = "true"
	no    value = "false"
	empty value = `""`
)

// defined is whether there is a value at all; null is one.
func (v value) defined() bool { return v != "" }

func (v value) isObject() bool { return v != "" && v[0] == '{' }
func (v value) isArray() bool  { return v != "" && v[0] == '[' }
func (v value) isString() bool { return v != "" && v[0] == '"' }
func (v value) isBool() bool   { return v == yes || v == no }

// text is the text of a string; of anything else it is empty.
func (v value) text() string {
	if !v.isString() {
		return ""
	}
	return decode(string(v[1 : len(v)-1]))
}

// fields are the members of an object in order.
func (v value) fields() iter.Seq2[string, value] {
	return func(yield func(string, value) bool) {
		if !v.isObject() {
			return
		}
		for i := 1; i < len(v) && v[i] != '}'; {
			end := endOf(v, i)
			key := v[i:end]
			i = end + 1 // The colon.
			end = endOf(v, i)
			if !yield(key.text(), v[i:end]) {
				return
			}
			i = afterComma(v, end)
		}
	}
}

// field is a member of an object, or undefined.
func (v value) field(name string) value {
	for k, f := range v.fields() {
		if k == name {
			return f
		}
	}
	return ""
}

// without is an object without some of its members.
func (v value) without(names ...string) value {
	var o object
fields:
	for k, f := range v.fields() {
		for _, n := range names {
			if k == n {
				continue fields
			}
		}
		o.put(k, f)
	}
	return o.value()
}

func afterComma(v value, i int) int {
	if i < len(v) && v[i] == ',' {
		return i + 1
	}
	return i
}

// endOf is the end of the value that begins at i.
func endOf(v value, i int) int {
	depth := 0
	for ; i < len(v); i++ {
		switch v[i] {
		case '"':
			i = endOfString(v, i) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',', ':':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}

func endOfString(v value, i int) int {
	for i++; i < len(v); {
		n := strings.IndexByte(string(v[i:]), '"')
		if n < 0 {
			return len(v)
		}
		slashes := 0
		for k := i + n - 1; k >= i && v[k] == '\\'; k-- {
			slashes++
		}
		if i += n + 1; slashes%2 == 0 {
			return i
		}
	}
	return len(v)
}

// object is a JSON object being made. Its members stand in the order they were
// put.
type object struct{ b strings.Builder }

// put adds a member, unless it is undefined.
func (o *object) put(name string, v value) {
	if !v.defined() {
		return
	}
	if o.b.Len() == 0 {
		o.b.WriteByte('{')
	} else {
		o.b.WriteByte(',')
	}
	o.b.WriteString(string(quote(name)))
	o.b.WriteByte(':')
	o.b.WriteString(string(v))
}

func (o *object) value() value {
	if o.b.Len() == 0 {
		return "{}"
	}
	return value(o.b.String() + "}")
}

// array is the JSON array of some values.
func array(vs []value) value {
	n := 2 + len(vs)
	for _, v := range vs {
		n += len(v)
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte('[')
	for i, v := range vs {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(string(v))
	}
	b.WriteByte(']')
	return value(b.String())
}
