package number

// Exact is the whole number up to which every one is a float64.
const Exact = 1 << 53

// Rounded reports whether a field is a whole number from [Exact] on, written by its digits, of which a float64 may hold another.
func Rounded(field []byte) bool {
	const shortest = 16 // digits
	if len(field) < shortest {
		return false
	}
	digits := field
	if digits[0] == '-' {
		digits = digits[1:]
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	v, err := ParseBytes(field)
	return err == nil && (v >= Exact || v <= -Exact)
}
