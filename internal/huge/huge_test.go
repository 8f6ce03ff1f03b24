package huge

import "testing"

// Memory of every size is zero, holds what is written, up to its last number,
// and is not changed by being prepared.
func TestMemory(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 1 << 18, 1<<18 + 1, 5 << 18} {
		values, _ := Reserve[float64](n) // Prepare may still be at it
		if len(values) != n {
			t.Fatalf("%d numbers, want %d", len(values), n)
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
	values, release := Reserve[float32](1 << 20)
	values[len(values)-1] = 1
	release()
}
