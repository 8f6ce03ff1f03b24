#!/bin/bash
# load.sh MODEL.lapsvm ROWS.npy [SECONDS [ROWS...]]: lapsvm serve, and scikit-learn's SVC with the same support
# vectors behind FastAPI and uvicorn, in turns: one and 64 connections, JSON and binary, of so many rows (1 256). The
# model has two classes, a Gaussian kernel and no standardisation. In binary also nothing.go, which computes nothing: the
# floor. Needs lapsvm, go, wrk, curl and python3 with fastapi, uvicorn and sklearn. Latencies are of the requests that were
# sent, and as wrk has them, which adds others. CPU is that of the server, user and system.
here=$(dirname "$(readlink -f "$0")") model=$1 rows=$2 seconds=${3:-5}
name=$(basename "$model" .lapsvm)
work=$(mktemp -d)
export MODEL=$work/model.json
lapsvm export "$model" "$MODEL" --quiet
go build -o "$work/nothing" "$here/nothing.go"
lapsvm serve "$model" --address 127.0.0.1:8801 --quiet & own=$!
(cd "$here" && exec python3 -m uvicorn svc:app --port 8802 --log-level warning) & svc=$!
"$work/nothing" 127.0.0.1:8803 & nothing=$!
trap 'kill $own $svc $nothing; rm -r "$work"' EXIT
for n in ${@:4} $([ $# -lt 4 ] && echo 1 256); do python3 "$here/bodies.py" "$rows" $n "$work/$n"; done
until curl -s -o /dev/null http://127.0.0.1:8801/v2/health/ready && curl -s -o /dev/null http://127.0.0.1:8802/docs; do sleep 0.3; done

ticks() { awk '{print $14 + $15}' /proc/$1/stat; } # hundredths of a second

# measure SERVER PROCESS URL [WHOSE BODIES]
measure() {
  local before=$(ticks $2)
  local line=$(CONNECTIONS=$c wrk -t1 -c$c -d${seconds}s --timeout 60s --latency -s "$here/post.lua" $3 -- "$work/$n/${4:-$1}.$way" | grep RESULT)
  echo "$n rows, $c connections, $way, $1: ${line#RESULT }, CPU $(awk -v t=$(($(ticks $2) - before)) '{printf "%.3f", $2 ? t * 10 / $2 : 0}' <<<"$line") ms a request"
}

for n in ${@:4} $([ $# -lt 4 ] && echo 1 256); do
  for way in json binary; do
    for c in 1 64; do
      measure own $own http://127.0.0.1:8801/v2/models/$name/infer
      measure svc $svc http://127.0.0.1:8802/$way
      [ $way = json ] || measure nothing $nothing http://127.0.0.1:8803/ own
    done
  done
done
grep -E 'VmHWM|VmRSS' /proc/$own/status
