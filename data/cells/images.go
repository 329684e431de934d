package cells

import (
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// imagesInStep is after, the recorded changes of rows in which texts were replaced, with the token
// counts that the rows have now: an older record can still be undone.
func (r *Replacement) imagesInStep(before, after string) string {
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
		out = append(out, r.changeInStep(changes[i], c))
	}
	return string(jstext.Array(out))
}

// changeInStep brings both images of a change into step.
func (r *Replacement) changeInStep(old, now jstext.Value) jstext.Value {
	if old == now {
		return now
	}
	var o jstext.Object
	for name, v := range now.Fields() {
		if name == "before" || name == "after" {
			v = r.imageInStep(old.Field(name), v)
		}
		o.Put(name, v)
	}
	return o.Value()
}

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
	text := jstext.Value(strconv.FormatInt(max(1, count+more), 10))
	if strings.Count(string(now), `"token_count":`) == 1 { // All else stays byte for byte.
		return jstext.Value(strings.Replace(string(now), `"token_count":`+string(now.Field("token_count")), `"token_count":`+string(text), 1))
	}
	var o jstext.Object
	for name, v := range now.Fields() {
		if name == "token_count" {
			v = text
		}
		o.Put(name, v)
	}
	return o.Value()
}
