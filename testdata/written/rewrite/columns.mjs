// Writes tables as Parquet and Arrow by DuckDB, arrow-rs (parquet-wasm), Polars and Arrow for JavaScript, and as CSV what they hold.
// Its argument is the folder with the packages; it runs in testdata/written.
import { createRequire } from 'module';
import fs from 'fs';
import { join, resolve } from 'path';

const require = createRequire(join(resolve(process.argv[2]), '/'));
const { DuckDBInstance } = require('@duckdb/node-api');
const arrow = require('apache-arrow');
const rs = require('parquet-wasm/node');
const polars = require('nodejs-polars');

const db = await (await DuckDBInstance.create(':memory:')).connect();
await db.run("set threads=1; set timezone='UTC'");

// A column of each type, with gaps, by DuckDB: pages of version 1 and 2.
const gaps = (e) => `case when i%5=3 then null else ${e} end`;
const columns = {
  truth: 'i%3=0',
  i8: '(i*37%256-128)::TINYINT', i16: '(i*7919%65536-32768)::SMALLINT', i32: '(i*398107171%4294967296-2147483648)::INTEGER',
  i64: '(i::HUGEINT*7943282347242821170%9223372036854775807)::BIGINT*case when i%2=0 then 1 else -1 end',
  u8: '(i*37%256)::UTINYINT', u16: '(i*7919%65536)::USMALLINT', u32: '(i*398107171%4294967296)::UINTEGER',
  u64: '(i::HUGEINT*7943282347242822117%18446744073709551616)::UBIGINT',
  f32: '((i*29%64-32)/8)::FLOAT', f64: 'sqrt(i+2)',
  word: "repeat('ab',(i%4)::INT) || 'é' || i%7",
  day: "DATE '1969-11-11' + (i*997%30000)::INTEGER", clock: "TIME '00:00:07' + to_seconds(i*2791%86000)",
  dec4: '((i*117%2000-1000)/100.0)::DECIMAL(4,2)', dec9: '((i*31622776-500000000)/1000.0)::DECIMAL(9,3)',
  dec18: '((i*316227766016837-5000000000000000)/10000.0)::DECIMAL(18,4)',
  dec38: '((i::HUGEINT*316227766016837933-5000000000000000000)*1000003)::DECIMAL(38,0)',
  uuid: 'md5(i::VARCHAR)::UUID',
  us: "TIMESTAMP '1960-02-03 04:05:06' + to_seconds(i*31557600)", ms: "(TIMESTAMP '1960-02-03 04:05:06' + to_seconds(i*31557600))::TIMESTAMP_MS",
  ns: 'make_timestamp_ns(i*123456789123456789 - 999999999)',
};
await db.run(`create table t as select ${Object.entries(columns).map(([name, e]) => `${gaps(e)} as ${name}`)} from range(30) r(i)`);
await db.run(`copy (select * replace (strftime(us,'%Y-%m-%dT%H:%M:%SZ') as us, strftime(ms,'%Y-%m-%dT%H:%M:%SZ') as ms,
  regexp_replace(replace(ns::VARCHAR,' ','T'),'\\.?0*$','') || 'Z' as ns) from t) to 'parquet/rows.csv' (header, nullstr '')`);
await db.run("copy t to 'parquet/duckdb1.parquet' (format parquet, codec 'zstd', parquet_version V1)");
await db.run("copy t to 'parquet/duckdb2.parquet' (format parquet, codec 'lz4_raw', parquet_version V2)");

// Numbers that LZ4 hardly packs, in pages without a dictionary.
await db.run(`create table x as select sqrt(i+2)*case when i%2=0 then 1 else -1 end as x, (i*398107171%4294967296)::UINTEGER as u32 from range(250) r(i)`);
await db.run("copy x to 'parquet/numbers.csv' (header)");
for (const version of [1, 2]) {
  await db.run(`copy x to 'parquet/numbers${version}.parquet' (format parquet, codec 'lz4_raw', parquet_version V${version}, dictionary_size_limit 1)`);
}

// The same columns by arrow-rs, in each encoding and codec. Arrow for JavaScript loses the extension of UUIDs.
const stream = rs.readParquet(fs.readFileSync('parquet/duckdb1.parquet')).intoIPCStream();
const table = arrow.tableFromIPC(stream);
const plain = table.select(table.schema.fields.map((f) => f.name).filter((name) => name !== 'uuid'));
const { Encoding, Compression, WriterVersion, WriterPropertiesBuilder, EnabledStatistics } = rs;
const write = (name, from, codec, version, set) => {
  const properties = set(new WriterPropertiesBuilder().setWriterVersion(WriterVersion[version]).setCompression(Compression[codec]).setStatisticsEnabled(EnabledStatistics.None));
  fs.writeFileSync(`parquet/${name}.parquet`, rs.writeParquet(rs.Table.fromIPCStream(arrow.tableToIPC(from, 'stream')), properties.build()));
};
const encode = (b, names, encoding) => names.reduce((b, name) => b.setColumnEncoding(name, encoding), b);
const smallPages = (b) => b.setDataPageSizeLimit(60).setWriteBatchSize(8);
const whole = ['i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'day', 'clock', 'us', 'ms', 'ns', 'dec4', 'dec9', 'dec18'];
write('arrow-rs-dictionary', plain, 'BROTLI', 'V2', (b) => smallPages(b.setDictionaryEnabled(true)));
write('arrow-rs-delta', plain, 'SNAPPY', 'V2', (b) => encode(encode(encode(smallPages(b.setDictionaryEnabled(false)),
  whole, Encoding.DELTA_BINARY_PACKED), ['word', 'dec38'], Encoding.DELTA_BYTE_ARRAY), ['truth'], Encoding.RLE));
write('arrow-rs-delta-length', plain.select(['word', 'truth', 'u32']), 'UNCOMPRESSED', 'V1', (b) => encode(encode(b.setDictionaryEnabled(false),
  ['word'], Encoding.DELTA_LENGTH_BYTE_ARRAY), ['u32'], Encoding.DELTA_BINARY_PACKED));
write('arrow-rs-split', plain, 'GZIP', 'V1', (b) => encode(b.setDictionaryEnabled(false), [...whole, 'f32', 'f64', 'dec38'], Encoding.BYTE_STREAM_SPLIT));
write('arrow-rs-lz4', plain.select(['i8', 'word']), 'LZ4', 'V1', (b) => b);
fs.writeFileSync('arrow/arrow-rs.arrows', stream);

// Columns that have no gaps by their schema, and half precision.
const halves = Array.from({ length: 20 }, (_, i) => (i * 7 - 60) / 16);
const loose = new arrow.Table({
  half: arrow.vectorFromArray(halves, new arrow.Float16()), r32: arrow.vectorFromArray(halves.map((x) => x * 3), new arrow.Float32()),
  count: arrow.vectorFromArray(halves.map((_, i) => i * 1000003), new arrow.Uint32()), name: arrow.vectorFromArray(halves.map((_, i) => 'n' + i), new arrow.Utf8()),
});
const withSchema = (table, field) => {
  const schema = new arrow.Schema(table.schema.fields.map(field));
  return new arrow.Table(schema, table.batches.map((b) => new arrow.RecordBatch(schema, b.data)));
};
write('required', withSchema(loose, (f) => new arrow.Field(f.name, f.type, false)), 'LZ4_RAW', 'V1', (b) => b.setDictionaryEnabled(false));
fs.writeFileSync('parquet/required.csv', 'half,r32,count,name\n' + halves.map((x, i) => `${x},${x * 3},${i * 1000003},n${i}\n`).join(''));

// The same columns by Polars.
const frame = polars.readParquet('parquet/duckdb1.parquet').drop('uuid');
frame.writeParquet('parquet/polars.parquet', { compression: 'lz4' });
frame.writeIPC('arrow/polars-lz4.arrow', { compression: 'lz4' });
frame.writeIPCStream('arrow/polars-zstd.arrows', { compression: 'zstd' });
frame.select('truth', 'i8', 'word').withColumns(polars.col('word').cast(polars.Categorical).alias('word')).writeIPC('arrow/polars-categorical.arrow', { compression: 'lz4' });

// Columns of columns, of which lists of numbers alone are features.
await db.run(`create table z as select i as a, {'x': i, 'y': 2} as pair, map {'k': i} as m, [1.25::DECIMAL(5,2), (i/4)::DECIMAL(5,2)] as decs, [['a']] as deep,
  INTERVAL 1 DAY as span, i%2 as label from range(12) r(i)`);
await db.run("copy z to 'parquet/nested.parquet' (format parquet)");
fs.writeFileSync('arrow/nested.arrows', rs.readParquet(fs.readFileSync('parquet/nested.parquet')).intoIPCStream());

// Dictionaries by each index, decimals of 128 and 256 bits, UUIDs and times by Arrow for JavaScript.
const words = Array.from({ length: 8 }, (_, i) => (i % 5 === 3 ? null : ['red', '', 'blue', 'grün'][i % 4]));
const wide = ['0', '-1', '150', '12345678901234567890', '-99999999999999999999999999999', '5', '7', '-8'];
const uuids = Uint8Array.from({ length: 128 }, (_, i) => i * 7);
const seconds = [0, 1, 86399, 43200, 7, 8, 9, 10];
const fixed = (type, length, data) => arrow.makeVector(arrow.makeData({ type, length, nullCount: 0, data }));
const dictionary = (index) => arrow.vectorFromArray(words, new arrow.Dictionary(new arrow.Utf8(), index));
const decimal = (bits, scale) => {
  const parts = bits / 32;
  const data = new Uint32Array(parts * wide.length);
  wide.forEach((text, i) => {
    let b = BigInt.asUintN(bits, BigInt(text));
    for (let k = 0; k < parts; k++, b >>= 32n) data[i * parts + k] = Number(b & 0xffffffffn);
  });
  return fixed(new arrow.Decimal(scale, Math.min(76, Math.floor(bits * 0.3)), bits), wide.length, data);
};
const values = {
  by8: dictionary(new arrow.Uint8()), by16: dictionary(new arrow.Uint16()), by32: dictionary(new arrow.Uint32()), d128: decimal(128, 2), d256: decimal(256, 3),
  uuid: fixed(new arrow.FixedSizeBinary(16), 8, uuids), half: arrow.vectorFromArray([0, 1, -2.5, 0.125, 1e-3, 65504, 3, 4], new arrow.Float16()),
  sec: arrow.vectorFromArray(seconds.map((s) => s * 1000), new arrow.TimeMillisecond()),
};
const extension = new Map([['ARROW:extension:name', 'arrow.uuid'], ['ARROW:extension:metadata', '']]);
fs.writeFileSync('arrow/arrow-js.arrow', arrow.tableToIPC(withSchema(new arrow.Table(values), (f) => (f.name === 'uuid' ? new arrow.Field(f.name, f.type, true, extension) : f)), 'file'));
write('arrow-rs-wide', new arrow.Table({ d256: values.d256, half: values.half }), 'ZSTD', 'V1', (b) => b);
const point = (text, scale) => {
  const digits = text.replace('-', '').padStart(scale + 1, '0');
  return (text[0] === '-' ? '-' : '') + digits.slice(0, -scale) + '.' + digits.slice(-scale);
};
fs.writeFileSync('arrow/arrow-js.csv', Object.keys(values) + '\n' + words.map((word, i) => {
  const hex = Buffer.from(uuids.subarray(16 * i, 16 * i + 16)).toString('hex');
  const uuid = [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([from, to]) => hex.slice(from, to)).join('-');
  return [word, word, word, point(wide[i], 2), point(wide[i], 3), uuid, values.half.get(i), new Date(seconds[i] * 1000).toISOString().slice(11, 19)] + '\n';
}).join(''));

// Lists of words, empty ones and none at all, and as Arrow for JavaScript has them by a dictionary.
await db.run(`create table tags as select i as size, case i%6 when 0 then null when 1 then []::VARCHAR[] when 2 then ['grün', 'red, blue', 'a\\b', null]
  else ['red', 'say "hi"', chr(9) || 'x', chr(1)] end as tags, case when i%2=0 then 'x' else 'y' end as kind from range(12) r(i)`);
await db.run("copy tags to 'parquet/duckdb-tags.parquet' (format parquet)");
fs.writeFileSync('arrow/arrow-rs-tags.arrows', rs.readParquet(fs.readFileSync('parquet/duckdb-tags.parquet')).intoIPCStream());
const tags = polars.readParquet('parquet/duckdb-tags.parquet');
tags.writeParquet('parquet/polars-tags.parquet');
tags.writeIPC('arrow/polars-tags.arrow', { compression: 'zstd' });
const listed = (await db.runAndReadAll('select * from tags')).getRowsJson();
const byWord = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8());
fs.writeFileSync('arrow/arrow-js-tags.arrow', arrow.tableToIPC(new arrow.Table({
  size: arrow.vectorFromArray(listed.map((row) => Number(row[0])), new arrow.Int32()),
  tags: arrow.vectorFromArray(listed.map((row) => row[1]), new arrow.List(new arrow.Field('item', byWord))),
  kind: arrow.vectorFromArray(listed.map((row) => row[2]), new arrow.Utf8()),
}), 'file'));
fs.writeFileSync('parquet/tags.jsonl', listed.map(([size, tags, kind]) => JSON.stringify({ size: Number(size), tags, kind }) + '\n').join(''));
