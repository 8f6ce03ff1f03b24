package number

import (
	"math"
	"math/bits"
)

// exactPowers are the powers of ten that a float64 holds exactly; constants.
var exactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// wholePowers are the powers of ten of 64 bits; constants.
var wholePowers = [...]uint64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// ParseBytes is [Parse] for the bytes of a field, to the same bits, and faster
// for what data files are full of: at most 19 digits and a small exponent.
func ParseBytes(text []byte) (float64, error) {
	if v, ok := shortFloat(text); ok {
		return v, nil
	}
	return Parse(string(text))
}

// shortFloat reads a plain decimal, such as -12.5 or 3e-7: a whole number m of at
// most 19 digits times 10^e. With m < 2⁵³ and |e| ≤ 22 both m and 10^|e| are
// float64s, so that one multiplication or division rounds correctly (Clinger,
// "How to read floating point numbers accurately", 1990); with −19 ≤ e ≤ 0 the
// division is done in whole numbers. Other text is not ok.
func shortFloat(text []byte) (v float64, ok bool) {
	k, negative := 0, false
	if k < len(text) && (text[k] == '-' || text[k] == '+') {
		negative = text[k] == '-'
		k++
	}
	var m uint64
	start := k
	for ; k < len(text) && text[k]-'0' <= 9; k++ {
		m = m*10 + uint64(text[k]-'0')
	}
	digits, exponent := k-start, 0
	if k < len(text) && text[k] == '.' {
		k++
		start = k
		for ; k < len(text) && text[k]-'0' <= 9; k++ {
			m = m*10 + uint64(text[k]-'0')
		}
		exponent = start - k
		digits -= exponent
	}
	if digits == 0 || digits > 19 && digits-leadingZeros(text) > 19 { // m might have overflowed
		return 0, false
	}
	if k < len(text) {
		written, ok := shortExponent(text[k:])
		if !ok {
			return 0, false
		}
		exponent += written
	}
	v = float64(m)
	switch {
	case exponent == 0:
	case m >= 1<<53:
		if exponent > 0 || -exponent >= len(wholePowers) {
			return 0, false
		}
		v = quotient(m, wholePowers[-exponent])
	case 0 < exponent && exponent < len(exactPowers):
		v *= exactPowers[exponent]
	case exponent < 0 && -exponent < len(exactPowers):
		v /= exactPowers[-exponent]
	default:
		return 0, false
	}
	if negative {
		v = -v
	}
	return v, true
}

// leadingZeros returns the number of zeros before the first other digit.
func leadingZeros(text []byte) int {
	zeros := 0
	for _, c := range text {
		if '1' <= c && c <= '9' {
			break
		}
		if c == '0' {
			zeros++
		}
	}
	return zeros
}

// quotient returns m/p, rounded to nearest; neither is 0. Both are shifted up to
// 64 bits, so that the whole quotient q of 2⁶³·m and p has at least 63 bits. Its
// last bit is far below what is rounded, and stands for the remainder too.
func quotient(m, p uint64) float64 {
	shiftM, shiftP := bits.LeadingZeros64(m), bits.LeadingZeros64(p)
	m <<= shiftM
	q, remainder := bits.Div64(m>>1, m<<63, p<<shiftP)
	if remainder != 0 {
		q |= 1
	}
	return float64(q) * math.Float64frombits(uint64(1023-63+shiftP-shiftM)<<52)
}

// shortExponent reads an exponent of one to three digits, such as e-07.
func shortExponent(text []byte) (exponent int, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	sign := 1
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		if text[0] == '-' {
			sign = -1
		}
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 3 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		exponent = exponent*10 + int(c-'0')
	}
	return sign * exponent, true
}
