#!/bin/sh
# parquetjs (@dsnp/parquetjs) reads columns of unsigned whole numbers as signed ones, though the file says what they are: from 2³¹ or 2⁶³ on, they are
# negative. hash() of DuckDB gives such numbers. hyparquet reads what was written. Works in a temporary folder, and fails if this changes.
#
# Seen: written 4000000000 and 18446744073709551615
# Seen: parquetjs 1.8.8 reads -294967296 and -1
# Seen: hyparquet 1.33.0 reads 4000000000 and 18446744073709551615
set -eu
version=1.8.8
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @dsnp/parquetjs@$version hyparquet@1.33.0 @duckdb/node-api@1.5.6-r.1 >/dev/null
cat > a.mjs <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
import parquetjs from '@dsnp/parquetjs'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
const database = await (await DuckDBInstance.create(':memory:')).connect()
await database.run("copy (select 4000000000::uinteger a, 18446744073709551615::ubigint b) to 'a.parquet'")
console.log('written 4000000000 and 18446744073709551615')
const row = await (await parquetjs.ParquetReader.openFile('a.parquet')).getCursor().next()
console.log(`parquetjs reads ${row.a} and ${row.b}`)
const [other] = await parquetReadObjects({ file: await asyncBufferFromFile('a.parquet') })
console.log(`hyparquet reads ${other.a} and ${other.b}`)
JS
node a.mjs | sed "s/^parquetjs/parquetjs $version/; s/^hyparquet/hyparquet 1.33.0/" | tee seen
grep -qxF "parquetjs $version reads -294967296 and -1" seen
grep -qxF 'hyparquet 1.33.0 reads 4000000000 and 18446744073709551615' seen
