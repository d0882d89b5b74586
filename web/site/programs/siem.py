"""SIEM: adds the reputation of addresses to events, as NDJSON from standard input to standard output.

Usage: siem.py FIELD <events.ndjson >enriched.ndjson    FIELD holds the address, for example source_ip

Each event gets "reputation": the score and the verdict, or null with "reputation_error". Needs REPUTE_URL and REPUTE_KEY.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

BATCH = 100
TRIES = 5


def ask(ips):
    """The results of a batch by address. An item that failed has none, and its reason instead."""
    request = urllib.request.Request(
        os.environ["REPUTE_URL"] + "/api/bulk/check-ip?view=verdict",
        data=json.dumps({"ips": ips}).encode(),
        headers={"X-API-Key": os.environ["REPUTE_KEY"], "Content-Type": "application/json"},
    )
    for left in reversed(range(TRIES)):
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return {item["input"]: item for item in json.load(response)["data"]["results"]}
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or left == 0:
                # 402: no credits left. Events go on without a reputation, and say so.
                return dict.fromkeys(ips, {"result": None, "error": f"status {error.code}"})
            time.sleep(int(error.headers.get("Retry-After", "1")))
        except OSError as error:
            if left == 0:
                return dict.fromkeys(ips, {"result": None, "error": str(error)})
            time.sleep(1)


def enrich(events, field):
    ips = list(dict.fromkeys(str(event[field]) for event in events if event.get(field)))
    found = ask(ips) if ips else {}
    for event in events:
        item = found.get(str(event.get(field)), {"result": None, "error": f"no {field}"})
        event["reputation"] = None
        if item["result"] is None:
            event["reputation_error"] = item["error"]
        else:
            # The verdict "unknown" stays as it is: no rule should take it for "clean".
            score = item["result"]["risk_score"]
            event["reputation"] = {"score": score["result"], "verdict": score["verdict"]}
        print(json.dumps(event), flush=True)


def main():
    field = sys.argv[1]
    events = []
    for line in sys.stdin:
        if line.strip():
            events.append(json.loads(line))
        if len(events) == BATCH:
            enrich(events, field)
            events = []
    enrich(events, field)


main()
