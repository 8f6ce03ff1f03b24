package files

// Types of Arrow columns.
const (
	arrowNull          = 1
	arrowInt           = 2
	arrowFloat         = 3
	arrowBinary        = 4
	arrowUTF8          = 5
	arrowBool          = 6
	arrowDecimal       = 7
	arrowDate          = 8
	arrowTime          = 9
	arrowTimestamp     = 10
	arrowInterval      = 11
	arrowList          = 12
	arrowStruct        = 13
	arrowUnion         = 14
	arrowFixedBinary   = 15
	arrowFixedList     = 16
	arrowMap           = 17
	arrowDuration      = 18
	arrowLargeBinary   = 19
	arrowLargeUTF8     = 20
	arrowLargeList     = 21
	arrowRunEnds       = 22
	arrowBinaryView    = 23
	arrowUTF8View      = 24
	arrowListView      = 25
	arrowLargeListView = 26
)

// arrowField is a column, or a part of one, as the schema describes it.
type arrowField struct {
	valueType  // of the values, or of those of the dictionary
	name       string
	kind       int
	dense      bool // of unions
	size       int  // of lists of one length
	dictionary bool // the values are indices into a dictionary,
	id         int64
	index      *arrowField // of this type
	children   []*arrowField
}

// arrowFields returns the fields of a schema, or of a field. The count is of all
// fields so far, which are no more than the description has bytes, and depth how deep they lie. Fields may share
// parts of the description, so that more memory than is allowed is an error.
func arrowFields(src *source, t flatTable, vector, depth int, count *int) ([]*arrowField, error) {
	const deepest = 64
	if depth > deepest {
		return nil, errFlat
	}
	const field = 350 // bytes beside its name
	var all []*arrowField
	for _, child := range t.tables(vector) {
		if *count++; *count > len(t.data) {
			panic(errFlat)
		}
		_, length := child.vector(0, 1)
		if err := src.Take(field+length, "the description of the columns"); err != nil {
			return nil, err
		}
		f := &arrowField{name: child.text(0), kind: child.int8(2)}
		if kind, ok := child.table(3); ok {
			f.describe(kind)
		}
		f.extend(child.tables(6))
		if d, ok := child.table(4); ok {
			f.dictionary, f.id = true, d.int64(0)
			f.index = &arrowField{kind: arrowInt, valueType: valueType{value: valueWhole, bytes: 4}}
			if kind, ok := d.table(1); ok {
				f.index.describe(kind)
			}
		}
		var err error
		if f.children, err = arrowFields(src, child, 5, depth+1, count); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// describe reads what is special about a type.
func (f *arrowField) describe(t flatTable) {
	const mostScale = 128
	switch f.kind {
	case arrowNull:
		f.value = valueNull
	case arrowInt:
		f.value, f.bytes, f.unsigned = valueWhole, t.int32(0)/8, t.int8(1) == 0
	case arrowFloat:
		f.value, f.bytes = valueFloat, 2<<t.int16(0, 0)
		if f.bytes < 2 {
			panic(errFlat)
		}
	case arrowDecimal:
		f.scale, f.bytes = t.int32(1), 16
		if width := t.int32(2); width != 0 {
			f.bytes = width / 8
		}
		if f.bytes != 4 && f.bytes != 8 && f.bytes != 16 && f.bytes != 32 {
			panic(errFlat)
		}
		if -mostScale <= f.scale && f.scale <= mostScale {
			f.value = valueDecimal
		}
	case arrowBool:
		f.value = valueBool
	case arrowDate:
		f.value, f.unit = valueDay, t.int16(0, 1)
		f.bytes = 4 + 4*f.unit
	case arrowTime:
		f.value, f.unit, f.bytes = valueClock, t.int16(0, 1), 4
		if width := t.int32(1); width != 0 {
			f.bytes = width / 8
		}
	case arrowTimestamp:
		f.value, f.unit, f.bytes = valueInstant, t.int16(0, 0), 8
	case arrowFixedBinary:
		f.bytes = t.int32(0)
	case arrowUnion:
		f.dense = t.int16(0, 0) == 1
	case arrowFixedList:
		f.size = t.int32(0)
	case arrowBinary, arrowUTF8, arrowLargeBinary, arrowLargeUTF8, arrowBinaryView, arrowUTF8View:
		f.value = valueText
	}
	switch f.kind {
	case arrowInt, arrowFloat, arrowTime:
		if f.bytes != 1 && f.bytes != 2 && f.bytes != 4 && f.bytes != 8 {
			panic(errFlat)
		}
	}
	if f.unit < 0 || f.unit > 3 || f.kind == arrowDate && f.unit > 1 || f.size < 0 || f.bytes < 0 {
		panic(errFlat)
	}
}

// extend reads what an extension makes of a type.
func (f *arrowField) extend(metadata []flatTable) {
	for _, entry := range metadata {
		if entry.text(0) == "ARROW:extension:name" && entry.text(1) == "arrow.uuid" && f.kind == arrowFixedBinary && f.bytes == 16 {
			f.value = valueUUID
		}
	}
}

// buffers returns how many buffers a field has beside those of its children, and
// whether it has others whose number a batch tells.
func (f *arrowField) buffers() (n int, more bool) {
	switch {
	case f.dictionary:
		return 2, false
	}
	switch f.kind {
	case arrowNull, arrowRunEnds:
		return 0, false
	case arrowFixedList, arrowStruct:
		return 1, false
	case arrowUnion:
		if f.dense {
			return 2, false
		}
		return 1, false
	case arrowBinary, arrowUTF8, arrowLargeBinary, arrowLargeUTF8, arrowListView, arrowLargeListView:
		return 3, false
	case arrowBinaryView, arrowUTF8View:
		return 2, true
	case arrowInt, arrowFloat, arrowBool, arrowDecimal, arrowDate, arrowTime, arrowTimestamp, arrowInterval, arrowList, arrowFixedBinary,
		arrowMap, arrowDuration, arrowLargeList:
		return 2, false
	}
	panic(errFlat)
}

// number reports whether the values are numbers or booleans, as they lie.
func (f *arrowField) number() bool { return !f.dictionary && f.valueType.number() }

// list reports whether the values are lists of numbers.
func (f *arrowField) list() bool { return f.lists() && f.children[0].number() }

// words reports whether the values are lists of words.
func (f *arrowField) words() bool { return f.lists() && f.children[0].value == valueText }

func (f *arrowField) lists() bool {
	return !f.dictionary && (f.kind == arrowList || f.kind == arrowLargeList || f.kind == arrowFixedList) && len(f.children) == 1
}

// offsetBytes returns the bytes of an offset of strings or lists.
func (f *arrowField) offsetBytes() int {
	switch f.kind {
	case arrowLargeBinary, arrowLargeUTF8, arrowLargeList:
		return 8
	}
	return 4
}
