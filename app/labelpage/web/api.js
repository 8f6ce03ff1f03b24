// Requests to the program that serves the page.

import { el } from '/assets/dom.js';

const longestSilence = 45000; // of a stream, which gives a sign of life every 15 seconds

const token = takeToken();

// takeToken moves the token from the page's address into the tab's own storage,
// where a reload finds it. A cookie would go to every port of this host.
function takeToken() {
  const address = new URL(location);
  const given = address.searchParams.get('token');
  try {
    if (!given) return sessionStorage.getItem('token') ?? '';
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', `/${address.hash}`);
  } catch {
    // Without storage the address keeps it.
  }
  return given ?? '';
}

// Failure is the error of a request that failed; status is 0 where no answer
// arrived.
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
    this.refused = status === 401 || status === 403; // the token is not valid any more
  }
}

async function request(path, { signal = AbortSignal.timeout(30000), headers = {}, ...options } = {}) {
  let response;
  try {
    response = await fetch(path, { ...options, signal, headers: { ...headers, Authorization: `Bearer ${token}` } });
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

// download gives a file to the browser to keep, however long the program makes it.
export async function download(path) {
  const response = await request(path, { signal: null });
  const address = URL.createObjectURL(await response.blob().catch(() => { throw new Failure(0, 'the answer broke off'); }));
  el('a', { href: address, download: path.split('/').pop() }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// follow calls heard for every message of a stream, and returns when the stream
// ends or is silent for long. An EventSource could not send the token.
export async function follow(path, heard) {
  const silence = new AbortController();
  let timer = 0;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), longestSilence);
  };
  wait();
  try {
    const response = await request(path, { signal: silence.signal });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ;) {
      const { done, value } = await reader.read().catch(() => ({ done: true }));
      if (done) return;
      wait();
      const messages = (text + value).split('\n\n');
      text = messages.pop();
      for (const message of messages) if (message.startsWith('event:')) heard();
    }
  } finally {
    clearTimeout(timer);
  }
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
