package jstext_test

import (
	"strings"
	"testing"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/testlength"
)

// Not parallel: it counts allocations.
func TestALongTextIsWrittenIntoABufferOfItsSize(t *testing.T) {
	testlength.Long(t)
	text := strings.Repeat("a\"\n\x01日\xff", 1<<16)
	quoted := jstext.Quote(text)
	for what, fn := range map[string]func(){
		"a string": func() { _ = jstext.Quote(text) },
		"its text": func() { _ = quoted.Text() },
		"an array": func() { _ = jstext.Array([]jstext.Value{quoted, quoted}) },
	} {
		if n := testing.AllocsPerRun(3, fn); n > 3 { // A buffer that grows takes more.
			t.Errorf("%s takes %v allocations", what, n)
		}
	}
	object := func() {
		var o jstext.Object
		o.Put("short", jstext.True)
		o.Put("long", quoted)
		_ = o.Value()
	}
	if n := testing.AllocsPerRun(3, object); n > 4 { // The list of members grows.
		t.Errorf("an object takes %v allocations", n)
	}
}
