-- wrk -s post.lua URL -- DIR/own.json (or own.binary, svc.json, svc.binary) posts the bodies
-- that bodies.py wrote, one after the other, and prints a line of what came out.
local requests, at = {}, 0

local function content(name) -- of a file, which is closed: wrk has few descriptors
  local file = assert(io.open(name, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

function init(args)
  local name = args[1]
  local headers = {["Content-Type"] = name:match("json") and "application/json" or "application/octet-stream"}
  if name:match("own.binary") then
    headers["Inference-Header-Content-Length"] = content(name .. ".head")
  end
  for k = 0, 31 do
    requests[k] = wrk.format("POST", nil, headers, content(name .. "." .. k))
  end
end

function request()
  at = (at + 1) % 32
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT %d requests, %.1f a second, p50 %.2f ms, p99 %.2f ms, failed %d, broken off %d", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, e.status, e.connect + e.read + e.write + e.timeout))
end
