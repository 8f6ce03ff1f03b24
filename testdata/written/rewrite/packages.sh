# Writes what programs for Node.js write: installs them into a folder of its own, and leaves nothing behind.
set -e
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix "$work" @duckdb/node-api@1.5.6-r.1 apache-arrow@21.2.0 nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1 parquet-wasm@0.8.0 xlsx@0.18.5
node rewrite/columns.mjs "$work"
(cd sheets && NODE_PATH="$work/node_modules" node -e '
  const xlsx = require("xlsx");
  xlsx.writeFile(xlsx.readFile("pandas.openpyxl.xlsx", { cellDates: true }), "sheetjs.xlsx", { cellDates: true, bookSST: true, compression: true })')
