"""Mail gateway: a policy server for Postfix, started by its spawn(8), one process for each connection.

master.cf:  repute unix - n n - 20 spawn user=repute argv=/usr/bin/python3 /etc/postfix/mail.py
main.cf:    smtpd_recipient_restrictions = ..., check_policy_service unix:private/repute

Needs REPUTE_URL (where the service is) and REPUTE_KEY, for example by import_environment in main.cf.
"""
import json
import os
import sys
import urllib.error
import urllib.request

# A mail must not wait longer than Postfix does for a policy server.
TIMEOUT_S = 10


def verdict_of(ip):
    """The verdict, or None and the reason why there is none."""
    request = urllib.request.Request(
        os.environ["REPUTE_URL"] + "/api/check-ip?view=verdict",
        data=json.dumps({"ip": ip}).encode(),
        headers={"X-API-Key": os.environ["REPUTE_KEY"], "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
            return json.load(response)["data"]["risk_score"]["verdict"], ""
    except urllib.error.HTTPError as error:
        return None, f"status {error.code}"
    except (OSError, ValueError, KeyError) as error:
        return None, str(error)


def action_for(attributes):
    ip = attributes.get("client_address", "")
    verdict, reason = verdict_of(ip)
    if verdict is None:
        # 402, 429, 503 or no answer at all: the mail goes on to the other checks, and the log says why.
        print(f"No verdict for {ip}: {reason}", file=sys.stderr, flush=True)
        return "DUNNO"
    if verdict == "critical":
        return f"REJECT 5.7.1 {ip} is listed for abuse"
    if verdict == "high":
        # The sender tries again later; a listing may have ended by then.
        return f"DEFER_IF_PERMIT 4.7.1 {ip} is suspected of abuse, try again later"
    if verdict in ("unknown", "elevated"):
        return f"PREPEND X-Reputation: {verdict}"
    return "DUNNO"


attributes = {}
for line in sys.stdin:
    name, _, value = line.rstrip("\n").partition("=")
    if name:
        attributes[name] = value
        continue
    print(f"action={action_for(attributes)}\n", flush=True)
    attributes = {}
