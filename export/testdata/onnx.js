// Runs models in onnxruntime: node onnx.js JOBS, where JOBS is a JSON file of
// [{model, points, d, bits}] and points names a file of rows of d float64.
// Prints the labels and all numbers of every job as JSON.
const fs = require("fs");
const ort = require("onnxruntime-node");

async function run({ model, points, d, bits }) {
  const bytes = fs.readFileSync(points);
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const session = await ort.InferenceSession.create(model, { intraOpNumThreads: 1 });
  const out = { version: ort.env.versions.node, label: [], labels: [], scores: [], probabilities: [], seconds: 0 };
  const rows = 1000; // per call
  for (let at = 0; at < all.length; at += rows * d) {
    const part = all.slice(at, at + rows * d);
    const shape = [part.length / d, d];
    const input = bits === 64 ? new ort.Tensor("float64", part, shape)
                              : new ort.Tensor("float32", Float32Array.from(part), shape);
    const start = process.hrtime.bigint();
    const result = await session.run({ points: input });
    out.seconds += Number(process.hrtime.bigint() - start) / 1e9;
    for (const name of session.outputNames) {
      for (const v of result[name].data) (out[name] ?? out.scores).push(typeof v === "bigint" ? Number(v) : v);
    }
  }
  return out;
}

async function main(jobs) {
  const results = [];
  for (const job of JSON.parse(fs.readFileSync(jobs))) results.push(await run(job));
  process.stdout.write(JSON.stringify(results));
}

main(process.argv[2]);
