"""scikit-learn's SVC with the support vectors of a model that lapsvm exported as JSON (MODEL), behind FastAPI."""
import json
import os

import numpy as np
from fastapi import FastAPI, Request, Response
from pydantic import BaseModel
from sklearn.svm import SVC

with open(os.environ["MODEL"]) as f:
    model = json.load(f)
basis = np.array(model["basis"]["dense"])
coefficients = np.array(model["coefficients"]).reshape(-1)
kernel = model["kernel"]
assert kernel["name"] == "gaussian" and model["scaling"]["kind"] == "none" and len(model["classes"]) == 2
svc = SVC(C=1e-9, gamma=1 / (2 * kernel["sigma"] ** 2))
svc.fit(basis, np.arange(len(basis)) % 2)  # every point is a support vector; their weights are replaced
assert len(svc.support_) == len(basis)
svc._dual_coef_ = -coefficients[svc.support_][None, :]  # libsvm's sign of two classes
svc._intercept_ = -np.array(model["bias"], dtype=float)
classes = np.array(model["classes"])

class Rows(BaseModel):
    points: list[list[float]]

app = FastAPI()

@app.post("/json")
def json_rows(rows: Rows):
    scores = svc.decision_function(np.array(rows.points))
    return {"labels": classes[(scores > 0).astype(int)].tolist(), "scores": scores.tolist()}

@app.post("/binary")
async def binary(request: Request):
    points = np.frombuffer(await request.body()).reshape(-1, basis.shape[1])
    return Response(svc.decision_function(points).tobytes(), media_type="application/octet-stream")
