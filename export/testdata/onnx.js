// Runs models in onnxruntime: node onnx.js JOBS, where JOBS is a JSON file of
// [{model, points, d, bits}] and points names a file of rows of d float64, or of
// [{model, inputs: [{name, type, shape, values}]}] with null for NaN.
// Prints the labels and all numbers of every job as JSON.
const fs = require("fs");
const ort = runtime();

// runtime is onnxruntime as a library of the system, or where that is not there in WebAssembly.
function runtime() {
  try {
    return require("onnxruntime-node");
  } catch {
    const web = require("onnxruntime-web");
    web.env.wasm.numThreads = 1;
    return web;
  }
}

// parts gives the inputs of points, a thousand rows at a time.
function* parts({ points, d, bits }) {
  const bytes = fs.readFileSync(points);
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const rows = 1000; // per call
  for (let at = 0; at < all.length; at += rows * d) {
    const part = all.slice(at, at + rows * d);
    const shape = [part.length / d, d];
    yield { points: bits === 64 ? new ort.Tensor("float64", part, shape) : new ort.Tensor("float32", Float32Array.from(part), shape) };
  }
}

function tensor({ type, shape, values }) {
  if (type === "string") return new ort.Tensor(type, values, shape);
  const numbers = values.map((v) => (v === null ? NaN : v));
  return new ort.Tensor(type, type === "float64" ? Float64Array.from(numbers) : Float32Array.from(numbers), shape);
}

async function run(job) {
  const session = await ort.InferenceSession.create(job.model, { intraOpNumThreads: 1 });
  const out = { version: ort.env.versions.node ?? `${ort.env.versions.web} in WebAssembly`, label: [], labels: [], scores: [], probabilities: [], seconds: 0 };
  for (const inputs of job.inputs ? [Object.fromEntries(job.inputs.map((i) => [i.name, tensor(i)]))] : parts(job)) {
    const start = process.hrtime.bigint();
    const result = await session.run(inputs);
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
