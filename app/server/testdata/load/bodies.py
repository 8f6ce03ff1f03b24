"""Bodies of requests: bodies.py ROWS.npy N DIR writes 32 of N rows each, for both servers, as JSON and in binary."""
import json
import os
import sys

import numpy as np

rows, n, folder = np.load(sys.argv[1]).astype("<f8"), int(sys.argv[2]), sys.argv[3]
os.makedirs(folder, exist_ok=True)
random = np.random.default_rng(0)


def write(name, text):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(text)


for k in range(32):
    some = rows[random.integers(0, len(rows), n)]
    tensor = {"name": "points", "shape": list(some.shape), "datatype": "FP64"}
    write(f"own.json.{k}", json.dumps({"inputs": [{**tensor, "data": some.reshape(-1).tolist()}]}).encode())
    write(f"svc.json.{k}", json.dumps({"points": some.tolist()}).encode())
    tensor["parameters"] = {"binary_data_size": some.nbytes}
    head = json.dumps({"parameters": {"binary_data_output": True}, "inputs": [tensor]}).encode()
    write(f"own.binary.{k}", head + some.tobytes())
    write("own.binary.head", str(len(head)).encode())
    write(f"svc.binary.{k}", some.tobytes())
