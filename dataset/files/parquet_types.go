package files

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// isVector reports whether a column holds lists of numbers: a repeated leaf, or
// groups around one.
func isVector(c *parquet.Column) bool {
	leaf := vectorLeaf(c)
	return leaf != nil && leaf.MaxRepetitionLevel() == 1 && numeric(leaf)
}

// vectorLeaf returns the only leaf below a column, nil where there are more.
func vectorLeaf(c *parquet.Column) *parquet.Column {
	for !c.Leaf() {
		if len(c.Columns()) != 1 {
			return nil
		}
		c = c.Columns()[0]
	}
	return c
}

// numeric reports whether a column is a leaf of numbers or booleans.
func numeric(c *parquet.Column) bool {
	if !c.Leaf() {
		return false
	}
	switch c.Type().Kind() {
	case parquet.Boolean, parquet.Float, parquet.Double:
		return true
	case parquet.Int32, parquet.Int64: // not dates, times and decimals
		if logical := c.Type().LogicalType(); logical != nil && logical.Value != nil {
			_, whole := logical.Value.(*parquetformat.IntType)
			return whole
		}
		converted := c.Type().ConvertedType()
		return converted == nil || deprecated.Uint8 <= *converted && *converted <= deprecated.Int64
	}
	return false
}

// unsigned reports whether the integers of a leaf have no sign.
func unsigned(c *parquet.Column) bool {
	if logical := c.Type().LogicalType(); logical != nil && logical.Value != nil {
		whole, ok := logical.Value.(*parquetformat.IntType)
		return ok && !whole.IsSigned
	}
	converted := c.Type().ConvertedType()
	return converted != nil && deprecated.Uint8 <= *converted && *converted <= deprecated.Uint64
}

// floatOf returns how the values of a numeric leaf become float64.
func floatOf(c *parquet.Column) func(parquet.Value) float64 {
	if !numeric(c) {
		return nil
	}
	switch kind := c.Type().Kind(); {
	case kind == parquet.Boolean:
		return func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}
	case kind == parquet.Float:
		return func(v parquet.Value) float64 { return float64(v.Float()) }
	case kind == parquet.Double:
		return func(v parquet.Value) float64 { return v.Double() }
	case kind == parquet.Int32 && unsigned(c):
		return func(v parquet.Value) float64 { return float64(v.Uint32()) }
	case kind == parquet.Int32:
		return func(v parquet.Value) float64 { return float64(v.Int32()) }
	case unsigned(c):
		return func(v parquet.Value) float64 { return float64(v.Uint64()) }
	}
	return func(v parquet.Value) float64 { return float64(v.Int64()) }
}
