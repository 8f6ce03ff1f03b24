package compare

import "sync"

// tail is a writer that keeps the last bytes.
type tail struct {
	most int
	lock sync.Mutex
	kept []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.kept = append(t.kept, b...)
	t.kept = t.kept[max(0, len(t.kept)-t.most):]
	return len(b), nil
}

func (t *tail) text() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	return string(t.kept)
}
