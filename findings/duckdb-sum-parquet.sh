#!/bin/sh
# DuckDB writes the sum of whole numbers to Parquet as a column of doubles: sum() gives a HUGEINT, which Parquet has not. A sum above 2⁵³ is another number
# in the file than in the database, without a word, and a small one is read as 3.0 by others. sum(x)::BIGINT is written as it is.
# Works in a temporary folder, and fails if this changes.
#
# Seen: DuckDB 1.5.6-r.1: sum in the database 9007199254740993, in the file 9007199254740992 (DOUBLE), cast to BIGINT 9007199254740993 (INT64)
set -eu
version=1.5.6-r.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @duckdb/node-api@$version >/dev/null
cat > a.js <<'JS'
const { DuckDBInstance } = require('@duckdb/node-api')
const sum = 'select sum(x) a from (values (9007199254740992::bigint), (1)) t(x)'
async function main() {
  const database = await (await DuckDBInstance.create(':memory:')).connect()
  const value = async (query) => String((await database.runAndReadAll(query)).getRows()[0][0])
  const written = async (query) => {
    await database.run(`copy (${query}) to 'a.parquet'`)
    return `${await value("select a::hugeint from 'a.parquet'")} (${await value("select type from parquet_schema('a.parquet') where name = 'a'")})`
  }
  console.log(`sum in the database ${await value(sum)}, in the file ${await written(sum)}, cast to BIGINT ${await written(sum.replace('sum(x)', 'sum(x)::bigint'))}`)
}
main()
JS
echo "DuckDB $version: $(node a.js)" | tee seen
grep -q 'in the database 9007199254740993, in the file 9007199254740992 (DOUBLE), cast to BIGINT 9007199254740993 (INT64)$' seen
