#!/bin/sh
# The library parquet-go writes doubles with its codec LZ4_RAW and reads zeros back, without an error: it drops a page that unpacks to
# just the announced size, which is every page of more than some 1,365 bytes that packs to more than a third. Snappy gives what was
# written, and DuckDB reads the numbers in the LZ4_RAW file as they are. Works in a temporary folder, and fails if this changes.
#
# Seen: parquet-go v0.32.0, by LZ4_RAW: 1000 rows: 0 as written, 1000 zeros, error <nil>
# Seen: by Snappy: 1000 rows: 1000 as written, 0 zeros, error <nil>
# Seen: DuckDB 1.5.6: LZ4_RAW: 1000 rows, 0 zeros, largest 31.6228
set -e
version=v0.32.0
duckdb=1.5.6-r.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > go.mod <<GO
module zeros

go 1.26.0

require github.com/parquet-go/parquet-go $version
GO
cat > main.go <<'GO'
package main

import (
	"bytes"
	"fmt"
	"math"
	"os"

	"github.com/parquet-go/parquet-go"
)

type row struct {
	X float64 `parquet:"x"`
}

func main() {
	rows := make([]row, 1000)
	for i := range rows {
		rows[i].X = math.Sqrt(float64(i + 1))
	}
	for _, o := range []parquet.WriterOption{parquet.Compression(&parquet.Lz4Raw), parquet.Compression(&parquet.Snappy)} {
		var b bytes.Buffer
		if err := parquet.Write(&b, rows, o); err != nil {
			panic(err)
		}
		if len(os.Args) > 1 {
			if err := os.WriteFile(os.Args[1], b.Bytes(), 0o666); err != nil {
				panic(err)
			}
			os.Args = os.Args[:1]
		}
		back, err := parquet.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
		same, zeros := 0, 0
		for i := range back {
			if back[i] == rows[i] {
				same++
			}
			if back[i].X == 0 {
				zeros++
			}
		}
		fmt.Println(len(back), "rows:", same, "as written,", zeros, "zeros, error", err)
	}
}
GO
go mod tidy >/dev/null 2>&1
go run . "$folder/a.parquet" > out
npm install --silent --no-audit --no-fund @duckdb/node-api@$duckdb >/dev/null
cat > a.js <<'JS'
const { DuckDBInstance } = require('@duckdb/node-api')
DuckDBInstance.create(':memory:').then((d) => d.connect()).then((c) => c.runAndReadAll(
  "select (select any_value(compression) from parquet_metadata('a.parquet')) || ': ' || count(*)::INT || ' rows, ' || count(*) filter (x = 0) || ' zeros, largest ' || max(x)::DECIMAL(9, 4) from 'a.parquet'"))
  .then((r) => console.log(r.getRows()[0][0]))
JS
echo "parquet-go $version reads what it wrote by LZ4_RAW, then by Snappy:"
cat out
echo "DuckDB $duckdb reads the first:"
node a.js | tee duckdb
[ "$(sed -n 1p out)" = "1000 rows: 0 as written, 1000 zeros, error <nil>" ]
[ "$(sed -n 2p out)" = "1000 rows: 1000 as written, 0 zeros, error <nil>" ]
[ "$(cat duckdb)" = "LZ4_RAW: 1000 rows, 0 zeros, largest 31.6228" ]
