package samples

import (
	"errors"
	"fmt"
	"time"

	"lcm-tui/internal/fakehost"
)

// writeLong makes the file of Cache.Long.
func writeLong(path string, n int, now time.Time) error {
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		return err
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true, At: now.Add(-100 * 24 * time.Hour)})
		for i := 1; i <= n && err == nil; i++ {
			role := []string{"user", "assistant"}[i%2]
			text := fmt.Sprintf("message number %d", i)
			if i%100 == 0 {
				text += ", a Hundredth"
			}
			_, err = h.Message(conv, fakehost.Message{Role: role, Content: text, At: now.Add(time.Duration(i-n) * time.Hour)})
		}
		return err
	})
	return errors.Join(err, h.Close())
}
