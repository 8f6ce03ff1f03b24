#!/bin/bash
# load.sh MODEL.lapsvm ROWS.npy [SECONDS [ROWS...]]: lapsvm serve, and scikit-learn's SVC with the same support
# vectors behind FastAPI and uvicorn, in turns: one and 64 connections, JSON and binary, of so many rows (1 256). The
# model has two classes, a Gaussian kernel and no standardisation. Needs lapsvm, wrk, curl and python3 with fastapi,
# uvicorn and sklearn. CPU is that of the server, user and system.
here=$(dirname "$(readlink -f "$0")") model=$1 rows=$2 seconds=${3:-5}
name=$(basename "$model" .lapsvm)
work=$(mktemp -d)
export MODEL=$work/model.json
lapsvm export "$model" "$MODEL" --quiet
lapsvm serve "$model" --address 127.0.0.1:8801 --quiet & own=$!
(cd "$here" && exec python3 -m uvicorn svc:app --port 8802 --log-level warning) & svc=$!
trap 'kill $own $svc; rm -r "$work"' EXIT
for n in ${@:4} $([ $# -lt 4 ] && echo 1 256); do python3 "$here/bodies.py" "$rows" $n "$work/$n"; done
until curl -s -o /dev/null http://127.0.0.1:8801/v2/health/ready && curl -s -o /dev/null http://127.0.0.1:8802/docs; do sleep 0.3; done

ticks() { awk '{print $14 + $15}' /proc/$1/stat; } # hundredths of a second

# measure SERVER PROCESS URL
measure() {
  local before=$(ticks $2)
  local line=$(wrk -t1 -c$c -d${seconds}s --timeout 60s --latency -s "$here/post.lua" $3 -- "$work/$n/$1.$way" | grep RESULT)
  echo "$n rows, $c connections, $way, $1: ${line#RESULT }, CPU $(awk -v t=$(($(ticks $2) - before)) '{printf "%.3f", $2 ? t * 10 / $2 : 0}' <<<"$line") ms a request"
}

for n in ${@:4} $([ $# -lt 4 ] && echo 1 256); do
  for way in json binary; do
    for c in 1 64; do
      measure own $own http://127.0.0.1:8801/v2/models/$name/infer
      measure svc $svc http://127.0.0.1:8802/$way
    done
  done
done
grep -E 'VmHWM|VmRSS' /proc/$own/status
