package columntexts

import (
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// imagesInStep returns after, the recorded changes of rows in which texts were replaced, with the token
// counts that the rows have now: an older record can still be undone.
func (r *Replacement) imagesInStep(record recordKey, before, after string) string {
	old, now := jstext.Value(before), jstext.Value(after)
	if !old.IsArray() || !now.IsArray() {
		return after
	}
	var out []jstext.Value
	changes := make([]jstext.Value, 0, 16)
	for c := range old.Elements() {
		changes = append(changes, c)
	}
	for c := range now.Elements() {
		i := len(out)
		if i >= len(changes) {
			return after
		}
		out = append(out, r.changeInStep(record, changes[i], c))
	}
	return string(jstext.Array(out))
}

// changeInStep brings both images of a change into step.
func (r *Replacement) changeInStep(record recordKey, old, now jstext.Value) jstext.Value {
	if old == now {
		return now
	}
	var o jstext.Object
	var grown [2]int64
	for name, v := range now.Fields() {
		if side := slices.Index(imageSides, name); side >= 0 {
			grown[side] = r.Tokens(v.Field("content").Text()) - r.Tokens(old.Field(name).Field("content").Text())
			v = r.imageInStep(old.Field(name), v)
		}
		o.Put(name, v)
	}
	r.images.noteImage(record, rowOfChange(now), grown)
	return o.Value()
}

// imageSides are the images of a change.
var imageSides = []string{"before", "after"}

// imageInStep gives the image of a row the token count of its new text.
func (r *Replacement) imageInStep(old, now jstext.Value) jstext.Value {
	content := now.Field("content")
	count, err := strconv.ParseInt(string(now.Field("token_count")), 10, 64)
	if old == now || err != nil || count <= 0 || !content.IsString() {
		return now
	}
	more := r.Tokens(content.Text()) - r.Tokens(old.Field("content").Text())
	if more == 0 {
		return now
	}
	return withNumber(now, "token_count", max(1, count+more))
}

// withNumber returns an image with another number in a column.
func withNumber(image jstext.Value, column string, n int64) jstext.Value {
	text := jstext.Value(strconv.FormatInt(n, 10))
	if name := `"` + column + `":`; strings.Count(string(image), name) == 1 { // All else stays byte for byte.
		return jstext.Value(strings.Replace(string(image), name+string(image.Field(column)), name+string(text), 1))
	}
	var o jstext.Object
	for name, v := range image.Fields() {
		if name == column {
			v = text
		}
		o.Put(name, v)
	}
	return o.Value()
}
