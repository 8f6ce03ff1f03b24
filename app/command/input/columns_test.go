package input

import "testing"

// Numbers in labels are as they are spelt, unless that takes many digits.
func TestBrief(t *testing.T) {
	for number, want := range map[string]string{"15": "15", "-3.25": "-3.25", "1250000": "1250000", "-4.741835117340088": "-4.74184", "3.3694865703582764": "3.36949", "none of these": "none of these"} {
		if got := Brief(number); got != want {
			t.Errorf("%s is told as %s, want %s", number, got, want)
		}
	}
}
