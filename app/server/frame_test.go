package server

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// elementsOf returns the numbers of decoded JSON, in order.
func elementsOf(v any, all []float64) []float64 {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			all = elementsOf(e, all)
		}
	case float64:
		all = append(all, v)
	}
	return all
}

// testReservation counts what a test reads.
func testReservation() *reservation { return &reservation{s: New(Config{Poll: -1})} }

// asJSON checks that what is taken of a body is JSON. Its numbers must have the bits that
// encoding/json gives them.
func asJSON(t *testing.T, body []byte) {
	t.Helper()
	request, err := readFrame(t.Context(), body, 1)
	for k := 0; err == nil && k < len(request.Inputs); k++ {
		if in := &request.Inputs[k]; in.Data != nil {
			n := 0
			if n, err = in.count(1<<16, 1); err == nil {
				err = in.each(n, func(token) error { return nil })
			}
		}
	}
	if valid := json.Valid(body); err == nil && !valid {
		t.Errorf("%q is no JSON, and is taken", body)
	} else if valid && err != nil && strings.Contains(err.Error(), "broken") {
		t.Errorf("%q is JSON: %v", body, err)
	}
	if err != nil {
		return
	}
	for k := range request.Inputs {
		in := &request.Inputs[k]
		if in.Datatype != "FP64" {
			continue
		}
		n, err := in.count(1<<16, 1)
		if err != nil {
			continue
		}
		got, err := in.numbers(n, testReservation())
		if in.binary != nil || err != nil {
			continue
		}
		var value any
		if err := json.Unmarshal(in.Data, &value); err != nil {
			t.Errorf("%q: the data %q are read and no JSON: %v", body, in.Data, err)
			continue
		}
		want := elementsOf(value, nil)
		if len(got) != len(want) {
			t.Errorf("%q: %v, want %v", body, got, want)
			continue
		}
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Errorf("%q: %v, want %v", in.Data, got[i], want[i])
			}
		}
	}
}

// Data are read as encoding/json reads them, numbers to the bit, however they are written.
func TestDataAsEncodingJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var all []string
	for range 3000 {
		v := math.Float64frombits(random.Uint64())
		if random.IntN(2) == 0 {
			v = random.NormFloat64()
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		all = append(all, strconv.FormatFloat(v, []byte("gfe")[random.IntN(3)], []int{-1, -1, random.IntN(25)}[random.IntN(3)], 64))
	}
	all = append(all, "0", "-0", "-0.0", "0.1", "9007199254740993", "9007199254740992.0", "0.30000000000000004", "123456789012345678901234567890", "1e22", "1E-22", "5e-324",
		"1.7976931348623157e308", "0.0000000000000000000000000000001", "4503599627370497.5", "18446744073709551615", "18446744073709551616.0", "0.9921568627450981")
	request := func(shape, data string) []byte {
		return []byte(`{"inputs":[{"name":"points","shape":` + shape + `,"datatype":"FP64","data":` + data + `}]}`)
	}
	count := "[" + strconv.Itoa(len(all)) + "]"
	asJSON(t, request(count, "["+strings.Join(all, ",")+"]"))
	asJSON(t, request(count, " [\n"+strings.Join(all, "\t, \r\n")+" ] "))
	for _, data := range []string{"[[1,2],[3,4]]", "[[1,2],[3,4],]", "[[1,2] [3,4]]", "[1,2,3,4", "[1 2,3,4]", "[1,2,3,4]]", "[01,2,3,4]", "[1.,2,3,4]", "[.5,2,3,4]", "[-,2,3,4]", "[+1,2,3,4]", "[1e,2,3,4]", "[1,,2,3]", "[,1,2,3]",
		"[1,2,3,}", "[1,2,3,tru]", "[1,2,3,4}", `["]",2,3,4]`, `["\"]",2,3,4]`, "[]", "[[],[]]", "[1,2,3,4,]", "[ ,1,2,3,4]", "[1,2,3,0x4]", "[1,2,3,Infinity]"} {
		asJSON(t, request("[2,2]", data))
	}
	for _, body := range []string{
		`{"inputs":[{"d\u0061ta":[1,2],"shape":[2],"datatype":"FP64"}]}`, `{"inputs":[{"DATA":[1,2],"shape":[2],"datatype":"FP64"}]}`, `{"inputs":[{"data":[1,2],"data":[0],"shape":[1],"datatype":"FP64"}]}`,
		`{"inputs":[{"data":[1,,2],"data":[0],"shape":[1],"datatype":"FP64"}]}`, `{"outputs":[{"data":[1,,2]}]}`, `{"more":[{"data":[1,2]}],"inputs":[{"name":"data","data":[3],"shape":[1],"datatype":"FP64"}]}`,
		`{"id":"\"data\":[","inputs":[{"data" : [3],"shape":[1],"datatype":"FP64","more":{"data":[5]}}]}`, `{"inputs":[{"data":`, `{"inputs":[{"data"`, `{"inputs":[{"data`, `{"inputs":[{"data":["]","\\"]"],"shape":[2],"datatype":"BYTES"}]}`, `{"id":"\x01"}`, `{"id":"\u12g4"}`, `{"id":"\x"}`,
		`{"a":[{},[],{"b":[{"c":[]}]}]}`, `{"a":[{}`, `{"a":[}]}`, `{"a":{]}}`, `{"a":[1,]}`, `{"a":{"b":1,}}`, `{"a":{"b"}}`, `{"a":{b:1}}`, `{,}`, `{"a":1,,"b":2}`, `{"a" 1}`, `{"a":nul}`, `{"a":-}`, `{"a":1}{`, `{"inputs":[null],"outputs":null}`, `}]}`, `[[[{"data":[1]`,
	} {
		asJSON(t, []byte(body))
	}
}

// Where JSON is broken behind data, the byte is that of the body.
func TestBytesOfBrokenJSON(t *testing.T) {
	for body, want := range map[string]string{
		`{"inputs":[{"data":[1,2,3,4,5,6],"shape":[6],]}`:                             "byte 46",
		`{"inputs":[{"data":[1,2,3,4,5,6]},{"data":[1,2,3,4,5,6],"shape":[1.5]}]}`:    "byte 66",
		`{"inputs":[{"name":"points","shape":[3],"datatype":"FP64","data":[1,2,x]}]}`: "byte 71",
	} {
		request, err := readFrame(t.Context(), []byte(body), 1)
		if err == nil {
			_, err = request.Inputs[0].numbers(3, testReservation())
		}
		if err == nil || !strings.Contains(err.Error(), want+":") && !strings.Contains(err.Error(), want+",") {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}
