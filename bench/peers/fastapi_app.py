"""What one can write in an afternoon: lists in sets, one look-up per list. No key, no limits, no charge."""

import json
import os

from fastapi import FastAPI
from pydantic import BaseModel

FOLDER = os.environ["PEER_LISTS"]
LISTS = {}
for name in sorted(os.listdir(FOLDER)):
    with open(os.path.join(FOLDER, name), encoding="ascii") as file:
        # Networks are left out: a set knows single addresses.
        LISTS[name] = {line.strip() for line in file if "/" not in line}
with open(os.environ["PEER_REPORT"], encoding="utf-8") as file:
    REPORT = json.load(file)

app = FastAPI()


class Question(BaseModel):
    ip: str


@app.post("/minimal")
async def minimal(question: Question):
    return {"ip": question.ip, "lists": [name for name, entries in LISTS.items() if question.ip in entries]}


@app.post("/report")
async def report(question: Question):
    found = [name for name, entries in LISTS.items() if question.ip in entries]
    return {**REPORT, "ip": question.ip, "lists": found}
