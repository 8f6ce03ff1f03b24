// Requests to the program that serves the page.

// Failure is an answer that says no; status is 0 where no answer came.
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
    this.refused = status === 401 || status === 403; // the token is not valid any more
  }
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { ...options, signal: AbortSignal.timeout(options.patience ?? 30000) });
  } catch {
    throw new Failure(0, 'lapsvm does not answer');
  }
  if (response.ok) return response;
  let message = `lapsvm answered ${response.status}`;
  try {
    message = (await response.json()).error || message;
  } catch {
    // The number of the status has to do.
  }
  throw new Failure(response.status, message);
}

export async function get(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== '' && value !== null && value !== undefined) query.set(name, value);
  }
  const response = await request(query.size ? `${path}?${query}` : path);
  return body(response);
}

export async function post(path, content) {
  const response = await request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(content),
  });
  return body(response);
}

// binary answers null while the program is still at work on it.
export async function binary(path) {
  const response = await request(path);
  return response.status === 202 ? null : response.arrayBuffer();
}

// body reads an answer; a connection that breaks within it is no answer.
async function body(response) {
  try {
    return await response.json();
  } catch {
    throw new Failure(0, 'the answer broke off');
  }
}

// randomKey names an event, so that sending it twice counts once.
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
