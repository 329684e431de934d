package jstext

import (
	"iter"
	"strings"
)

// Value is a JSON value as text, exactly as JavaScript writes it: no white space,
// no HTML escapes, U+2028 as it is, half surrogates as \ud83d. So a value can be
// cut up, put together and counted without being decoded. The empty Value is
// undefined.
type Value string

// Values that are compared with.
const (
	Null  Value = "null"
	True  Value = "true"
	False Value = "false"
	Empty Value = `""` // A string without text.
)

// Defined reports whether there is a value at all; null is one.
func (v Value) Defined() bool { return v != "" }

// IsObject reports whether it is an object.
func (v Value) IsObject() bool { return v != "" && v[0] == '{' }

// IsArray reports whether it is an array.
func (v Value) IsArray() bool { return v != "" && v[0] == '[' }

// IsString reports whether it is a string.
func (v Value) IsString() bool { return v != "" && v[0] == '"' }

// IsBool reports whether it is true or false.
func (v Value) IsBool() bool { return v == True || v == False }

// Text returns the text of a string; of anything else it is empty.
func (v Value) Text() string {
	if !v.IsString() {
		return ""
	}
	return decode(string(v[1 : len(v)-1]))
}

// Fields returns the members of an object in order.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if !v.IsObject() {
			return
		}
		for i := 1; i < len(v) && v[i] != '}'; {
			end := endOf(v, i)
			key := v[i:end]
			i = end + 1 // The colon.
			end = endOf(v, i)
			if !yield(key.Text(), v[i:end]) {
				return
			}
			i = afterComma(v, end)
		}
	}
}

// Field returns a member of an object, or undefined.
func (v Value) Field(name string) Value {
	for k, f := range v.Fields() {
		if k == name {
			return f
		}
	}
	return ""
}

// Elements returns the elements of an array in order.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.IsArray() {
			return
		}
		for i := 1; i < len(v) && v[i] != ']'; {
			end := endOf(v, i)
			if !yield(v[i:end]) {
				return
			}
			i = afterComma(v, end)
		}
	}
}

// Without returns an object without some of its members.
func (v Value) Without(names ...string) Value {
	var o Object
fields:
	for k, f := range v.Fields() {
		for _, n := range names {
			if k == n {
				continue fields
			}
		}
		o.Put(k, f)
	}
	return o.Value()
}

func afterComma(v Value, i int) int {
	if i < len(v) && v[i] == ',' {
		return i + 1
	}
	return i
}

// endOf returns the end of the value that begins at i.
func endOf(v Value, i int) int {
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

func endOfString(v Value, i int) int {
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

// Object is a JSON object being made. Its members stand in the order they were
// put.
type Object struct{ members []pair }

type pair struct {
	name  string
	value Value
}

// Put adds a member, unless it is undefined.
func (o *Object) Put(name string, v Value) {
	if v.Defined() {
		o.members = append(o.members, pair{name, v})
	}
}

// Value returns the object with what was put so far.
func (o *Object) Value() Value {
	n := 2
	for _, m := range o.members {
		n += quotedLen(m.name) + len(m.value) + 2
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte('{')
	for i, m := range o.members {
		if i > 0 {
			b.WriteByte(',')
		}
		writeQuoted(&b, m.name)
		b.WriteByte(':')
		b.WriteString(string(m.value))
	}
	b.WriteByte('}')
	return Value(b.String())
}

// Array returns the JSON array of some values.
func Array(vs []Value) Value {
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
	return Value(b.String())
}
