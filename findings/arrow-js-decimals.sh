#!/bin/sh
# Apache Arrow for JavaScript gives decimals without their point: −1.05 of a decimal(9, 2) is −105 as a number, as text and in the JSON of its row.
# The scale is in the type of the column alone. Prices are a hundred times too large, beside columns that are right. Works in a temporary
# folder, and fails if this changes.
#
# Seen: apache-arrow 21.2.0: written -1.05 and 12.50, as numbers [-105,1250], as text ["-105","1250"]
# Seen: DuckDB 1.5.6 reads ["-1.05","12.50"]
set -eu
arrow=21.2.0
wasm=0.8.0
duckdb=1.5.6-r.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund apache-arrow@$arrow parquet-wasm@$wasm @duckdb/node-api@$duckdb >/dev/null
cat > a.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { tableFromIPC } from 'apache-arrow'
import * as parquet from 'parquet-wasm/node'
const database = await (await DuckDBInstance.create(':memory:')).connect()
await database.run("copy (select unnest([-1.05, 12.50])::decimal(9, 2) price) to 'a.parquet'")
const prices = [...tableFromIPC(parquet.readParquet(readFileSync('a.parquet')).intoIPCStream()).getChild('price')]
console.log('written -1.05 and 12.50, as numbers ' + JSON.stringify(prices.map(Number)) + ', as text ' + JSON.stringify(prices.map(String)))
const rows = (await database.runAndReadAll("from 'a.parquet'")).getRowsJson()
console.log('DuckDB reads ' + JSON.stringify(rows.flat()))
JS
echo "apache-arrow $arrow: $(node a.mjs)" | tee seen
grep -q 'as numbers \[-105,1250\], as text \["-105","1250"\]$' seen
grep -qxF 'DuckDB reads ["-1.05","12.50"]' seen
