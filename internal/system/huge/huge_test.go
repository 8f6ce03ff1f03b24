package huge

import (
	"errors"
	"testing"
)

// Memory of every size is zero, holds what is written, up to its last number,
// and is not changed by being prepared.
func TestMemory(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1 << 18, 1<<18 + 1, 5 << 18} {
		values, _, err := Reserve[float64](n) // Prepare may still be at it
		if len(values) != n || err != nil {
			t.Fatalf("%d numbers and the error %v, want %d", len(values), err, n)
		}
		for i, v := range values {
			if v != 0 {
				t.Fatalf("number %d of %d is %v", i, n, v)
			}
			values[i] = float64(i)
		}
		prepared := make([]float32, n)
		for i := range prepared {
			prepared[i] = float32(i)
		}
		Prepare(values)
		Prepare(prepared)
		for i := range values {
			if values[i] != float64(i) || prepared[i] != float32(i) {
				t.Fatalf("number %d of %d is %v and %v", i, n, values[i], prepared[i])
			}
		}
	}
	values, release, err := Reserve[float32](1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	values[len(values)-1] = 1
	release()
}

// More than there are addresses for is an error.
func TestTooMuch(t *testing.T) {
	if values, _, err := Reserve[float64](1 << 56); !errors.Is(err, ErrMemory) {
		t.Fatalf("%d numbers and the error %v, want that of memory", len(values), err)
	}
}
