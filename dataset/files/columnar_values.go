package files

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"lapsvm/dataset/internal/number"
)

// valueKind says what the bytes of a value are.
type valueKind int

const (
	valueOther   valueKind = iota
	valueNull              // every value is null
	valueBool              // a byte, 0 for false
	valueWhole             // an integer
	valueFloat             // a float16, float32 or float64
	valueDecimal           // an integer that has scale digits behind the point
	valueText              // text
	valueDay               // days, or with unit 1 milliseconds, since 1970
	valueClock             // units since midnight
	valueInstant           // units since 1970
	valueJulian            // nanoseconds of a day in 8 bytes, and its Julian day in 4
	valueUUID              // 16 bytes
)

// valueType says what the values of a column of Parquet or Arrow are. Each is some bytes, which
// are little-endian unless bigEndian says otherwise.
type valueType struct {
	value     valueKind
	bytes     int  // of each value, 0 where values have lengths of their own
	unsigned  bool // integer
	bigEndian bool // decimal
	unit      int  // 0 for seconds, 1 for milliseconds, 2 for microseconds, 3 for nanoseconds
	scale     int  // of decimals
}

// number reports whether the values are numbers or booleans.
func (t valueType) number() bool {
	return t.value == valueBool || t.value == valueWhole || t.value == valueFloat || t.value == valueDecimal
}

// text reports whether the values can be fields of a table, and labels.
func (t valueType) text() bool { return t.value != valueOther }

// single reports whether a float32 holds every value exactly.
func (t valueType) single() bool { return t.value == valueFloat && t.bytes < 8 }

// whole returns an integer of at most 8 bytes; that of an unsigned one of 8 bytes has the same bits.
func (t valueType) whole(b []byte) int64 {
	var v uint64
	switch {
	case t.bigEndian:
		for _, digit := range b {
			v = v<<8 | uint64(digit)
		}
	case len(b) == 8:
		return int64(binary.LittleEndian.Uint64(b))
	case len(b) == 4:
		v = uint64(binary.LittleEndian.Uint32(b))
	case len(b) == 2:
		v = uint64(binary.LittleEndian.Uint16(b))
	case len(b) == 1:
		v = uint64(b[0])
	}
	if shift := 64 - 8*len(b); !t.unsigned && shift > 0 && shift < 64 {
		return int64(v<<shift) >> shift
	}
	return int64(v)
}

// float returns a number or boolean, rounded to nearest.
func (t valueType) float(b []byte) float64 {
	switch {
	case t.value == valueFloat && t.bytes == 8:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case t.value == valueFloat && t.bytes == 4:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case t.value == valueFloat:
		return halfFloat(binary.LittleEndian.Uint16(b))
	case t.value == valueDecimal:
		var room [64]byte
		v, err := number.ParseBytes(t.appendDecimal(room[:0], b))
		if err != nil {
			return math.NaN()
		}
		return v
	case t.value == valueBool:
		return float64(b[0])
	case t.unsigned:
		return float64(uint64(t.whole(b)))
	}
	return float64(t.whole(b))
}

// halfFloat returns a number of 16 bits: a sign, 5 bits of exponent, 10 of
// fraction.
func halfFloat(bits uint16) float64 {
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// appendField appends a value as the text of a field, to its last digit.
func (t valueType) appendField(to, b []byte) []byte {
	switch t.value {
	case valueBool:
		return strconv.AppendBool(to, b[0] != 0)
	case valueWhole:
		if v := t.whole(b); t.unsigned {
			return strconv.AppendUint(to, uint64(v), 10)
		} else {
			return strconv.AppendInt(to, v, 10)
		}
	case valueFloat:
		return appendFloat(to, t.float(b))
	case valueDecimal:
		return t.appendDecimal(to, b)
	case valueDay:
		if v := t.whole(b); t.unit == 0 {
			return appendDay(to, time.Unix(v*secondsPerDay, 0))
		} else {
			return appendDay(to, time.UnixMilli(v))
		}
	case valueClock:
		return appendClock(to, t.whole(b), perSecond[t.unit])
	case valueInstant:
		v, per := t.whole(b), perSecond[t.unit]
		return appendTime(to, time.Unix(v/per, v%per*(1e9/per)))
	case valueJulian:
		const epoch = 2440588
		day := int64(int32(binary.LittleEndian.Uint32(b[8:])))
		return appendTime(to, time.Unix((day-epoch)*secondsPerDay, int64(binary.LittleEndian.Uint64(b))))
	case valueUUID:
		for k, part := range [...][]byte{b[:4], b[4:6], b[6:8], b[8:10], b[10:]} {
			if k > 0 {
				to = append(to, '-')
			}
			to = hex.AppendEncode(to, part)
		}
		return to
	}
	return append(to, b...)
}

// appendLabel appends a value as the name of a class. A number has its one spelling: a float is
// the number that it is meant for, and a decimal has no zeros at its end.
func (t valueType) appendLabel(to, b []byte) []byte {
	switch {
	case t.value == valueFloat:
		return appendLabel(to, number.Meant(t.float(b), t.bytes))
	case t.value == valueDecimal:
		start := len(to)
		to = t.appendDecimal(to, b)
		if t.scale <= 0 {
			return to
		}
		for to[len(to)-1] == '0' {
			to = to[:len(to)-1]
		}
		if to[len(to)-1] == '.' {
			to = to[:len(to)-1]
		}
		if string(to[start:]) == "-0" {
			return append(to[:start], '0')
		}
		return to
	}
	return t.appendField(to, b)
}

// appendDecimal appends a decimal with all digits of its scale.
func (t valueType) appendDecimal(to, b []byte) []byte {
	start := len(to)
	if len(b) <= 8 {
		to = strconv.AppendInt(to, t.whole(b), 10)
	} else {
		to = wholeOf(b, t.bigEndian).Append(to, 10)
	}
	if to[start] == '-' {
		start++
	}
	if t.scale < 0 {
		if string(to[start:]) == "0" {
			return to
		}
		for range -t.scale {
			to = append(to, '0')
		}
		return to
	}
	if t.scale == 0 {
		return to
	}
	for len(to)-start <= t.scale {
		to = slices.Insert(to, start, '0')
	}
	return slices.Insert(to, len(to)-t.scale, '.')
}

// wholeOf returns an integer of any number of bytes, as two's complement.
func wholeOf(b []byte, bigEndian bool) *big.Int {
	digits := slices.Clone(b)
	if !bigEndian {
		slices.Reverse(digits)
	}
	v := new(big.Int).SetBytes(digits)
	if digits[0] >= 128 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(digits))))
	}
	return v
}

// perSecond are the units of times; constants.
var perSecond = [...]int64{1, 1e3, 1e6, 1e9}

// appendClock appends a time of day.
func appendClock(to []byte, v, per int64) []byte {
	if v < 0 {
		to, v = append(to, '-'), -v
	}
	seconds := v / per
	for k, part := range [...]int64{seconds / 3600, seconds / 60 % 60, seconds % 60} {
		if k > 0 {
			to = append(to, ':')
		}
		if part < 10 {
			to = append(to, '0')
		}
		to = strconv.AppendInt(to, part, 10)
	}
	rest := v % per
	if rest == 0 {
		return to
	}
	to = append(to, '.')
	for per /= 10; rest > 0; per /= 10 {
		to = append(to, byte('0'+rest/per))
		rest %= per
	}
	return to
}
