-- wrk -s post.lua URL -- DIR/own.json (or own.binary, svc.json, svc.binary) posts the bodies
-- that bodies.py wrote, one after the other, and prints a line of what came out. CONNECTIONS in
-- the environment is wrk's -c.
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

-- sent returns how many requests took so many microseconds. wrk adds others to what it
-- measures, as if each connection had asked at its mean interval: for a latency L the latencies
-- L-interval, L-2*interval and so on, down to the interval. Here they are taken away, the longest
-- first.
local function sent(summary, latency)
  local each = math.floor(summary.requests / tonumber(os.getenv("CONNECTIONS")))
  local interval = math.floor(summary.duration / each)
  local values, counts = {}, {}
  for k = 1, #latency do
    local value, count = latency(k)
    values[k], counts[value] = value, count
  end
  for k = #values, 1, -1 do
    local value = values[k]
    for less = value - interval, interval + 1, -interval do
      counts[less] = counts[less] - counts[value]
    end
  end
  return values, counts
end

-- quantile returns the latency in ms that a share of the requests does not exceed.
local function quantile(values, counts, share)
  local all, below = 0, 0
  for _, value in ipairs(values) do all = all + counts[value] end
  for _, value in ipairs(values) do
    below = below + counts[value]
    if below >= share * all then return value / 1e3 end
  end
end

function done(summary, latency)
  local e = summary.errors
  local values, counts = sent(summary, latency)
  print(string.format("RESULT %d requests, %.1f a second, p50 %.3f ms, p99 %.3f ms, as wrk has it %.3f and %.3f, failed %d, broken off %d", summary.requests, summary.requests / summary.duration * 1e6,
    quantile(values, counts, 0.5), quantile(values, counts, 0.99), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, e.status, e.connect + e.read + e.write + e.timeout))
end
