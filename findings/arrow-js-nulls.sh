#!/bin/sh
# toArray() of a column of Apache Arrow for JavaScript gives numbers in place of nulls, whatever lies in the memory: 0, or after a file of Parquet was read by
# parquet-wasm the number of a later row. So a row without a label gets the label of another. The column itself, [...column], has the nulls.
# Works in a temporary folder, and fails if this changes.
#
# Seen: apache-arrow 21.2.0, parquet-wasm 0.8.0: column [1,null,3,null,7]
# Seen: toArray() of the column as made [1,0,3,0,7], after Parquet [1,3,3,0,7]
set -eu
arrow=21.2.0
wasm=0.8.0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund apache-arrow@$arrow parquet-wasm@$wasm >/dev/null
cat > a.mjs <<'JS'
import { Float64, Table, tableFromIPC, tableToIPC, vectorFromArray } from 'apache-arrow'
import * as parquet from 'parquet-wasm/node'
const made = new Table({ label: vectorFromArray([1, null, 3, null, 7], new Float64()) })
const file = parquet.writeParquet(parquet.Table.fromIPCStream(tableToIPC(made, 'stream')))
const read = tableFromIPC(parquet.readParquet(file).intoIPCStream())
const numbers = (table) => JSON.stringify(Array.from(table.getChild('label').toArray()))
console.log('column ' + JSON.stringify([...read.getChild('label')]))
console.log(`toArray() of the column as made ${numbers(made)}, after Parquet ${numbers(read)}`)
JS
echo "apache-arrow $arrow, parquet-wasm $wasm: $(node a.mjs)" | tee seen
grep -q ': column \[1,null,3,null,7\]$' seen
grep -q '^toArray() of the column as made \[1,0,3,0,7\], after Parquet \[1,3,3,[0-9]*,7\]$' seen
