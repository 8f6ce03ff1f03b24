"use strict";

const at = (id) => document.getElementById(id);
let token = "";
let wanted = new AbortController(); // what was asked for last

// ask fetches an address of this server; what is wrong is shown and thrown.
async function ask(path, options = {}) {
  const { signal } = wanted;
  const headers = { ...options.headers };
  if (token) headers.Authorization = "Bearer " + token;
  const answer = await fetch(path, { ...options, headers, signal });
  const body = await answer.json();
  signal.throwIfAborted();
  if (answer.status === 401) at("key").hidden = false;
  if (!answer.ok) throw new Error(body.error);
  at("trouble").textContent = "";
  return body;
}

// guarded aborts the running action, runs a new one and shows its errors.
const guarded = (run) => async () => {
  wanted.abort();
  wanted = new AbortController();
  const { signal } = wanted;
  try {
    await run();
  } catch (e) {
    if (signal.aborted) return;
    at("trouble").textContent = e.message;
    at("trouble").scrollIntoView({ block: "nearest" });
  }
};

// asked names the outputs requested beside labels or numbers: intervals, probabilities, or scores where the
// model has none.
const asked = (m) => {
  const has = (name) => m.outputs.some((o) => o.name === name);
  if (has("value")) return has("low") ? "interval=0.9" : "";
  return has("probabilities") ? "proba=true" : "scores=true";
};

const address = () => "/v2/models/" + encodeURIComponent(at("model").value);

const show = guarded(async () => {
  const m = await ask(address());
  const p = m.parameters;
  const columns = p.columns ? p.columns.map((c) => c.name) : p.features;
  const facts = {
    Version: `${p.version} of ${m.versions.join(", ")}`,
    ...(p.classes.length ? { Classes: p.classes.join(", ") + (m.outputs.some((o) => o.name === "labels") ? "; a row may have several" : "") } : { Predicts: "a number" }),
    Takes: p.columns ? p.columns.map((c) => `${c.name} (${c.kind})`).join(", ") : `${m.inputs[0].shape[1]} features`,
    Kernel: `${p.kernel}, ${p.basis} points`,
    Checksum: p.checksum,
  };
  const entries = Object.entries(facts).flatMap(([name, text]) => {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = text;
    return [dt, dd];
  });
  at("facts").replaceChildren(...entries);
  const line = (fields) => fields.map((c) => (/[",\n]/.test(c) ? `"${c.replaceAll('"', '""')}"` : c)).join(",") + "\n";
  at("rows").value = (columns ? line(columns) : "") + (p.example ? line(p.example) : "");
  at("hint").textContent = columns ? "Rows as CSV, with a line of names:" : `Rows as CSV, ${m.inputs[0].shape[1]} numbers each:`;
  at("answer").replaceChildren();
  const key = token ? " -H 'Authorization: Bearer TOKEN'" : "";
  at("shell").textContent = `curl${key} -H 'Content-Type: text/csv' --data-binary @rows.csv '${location.origin}${address()}/predict?${asked(m)}'`;
});

const predict = guarded(async () => {
  at("answer").replaceChildren(); // whatever comes, it is no answer to these rows
  const m = await ask(address());
  const a = await ask(`${address()}/predict?${asked(m)}`, { method: "POST", headers: { "Content-Type": "text/csv" }, body: at("rows").value });
  const line = (cells, kind) => {
    const tr = document.createElement("tr");
    tr.replaceChildren(...cells.map((text) => {
      const cell = document.createElement(kind);
      cell.textContent = text;
      return cell;
    }));
    return tr;
  };
  const names = a.values ? ["value", ...(a.low ? ["low", "high"] : [])] : ["label", ...a.classes];
  const columns = a.values
    ? [a.values, a.low, a.high].filter(Boolean).map((column) => column.map((v) => v.toPrecision(6)))
    : [a.labels ?? a.label_sets.map((classes) => classes.join(", ") || "none"), ...a.classes.map((_, c) => (a.proba ?? a.scores).map((row) => row[c].toFixed(3)))];
  at("answer").replaceChildren(
    line(["row", ...names], "th"),
    ...columns[0].map((_, i) => line([i + 1, ...columns.map((column) => column[i])], "td")),
  );
});

const start = guarded(async () => {
  const { models } = await ask("/v2/models");
  at("model").replaceChildren(...models.map((m) => new Option(m.name, m.name)));
  await show();
});

at("enter").addEventListener("click", () => {
  token = at("token").value;
  start();
});
at("model").addEventListener("change", show);
at("ask").addEventListener("click", predict);
start();
