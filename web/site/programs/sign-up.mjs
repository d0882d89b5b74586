// Sign-up gate: node sign-up.mjs EMAIL IP prints allow, confirm or refuse, with a reason.
// Needs REPUTE_URL (where the service is) and REPUTE_KEY.

const { REPUTE_URL, REPUTE_KEY } = process.env;

/** The `data` of an answer. Throws an error with the status; waits once where the service asks for it. */
async function ask(path, body, isSecondTry = false) {
  const response = await fetch(REPUTE_URL + path, {
    method: "POST",
    headers: { "X-API-Key": REPUTE_KEY, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return (await response.json()).data;
  const waitS = Number(response.headers.get("Retry-After") ?? 0);
  const mayRepeat = (response.status === 429 || response.status === 503) && waitS <= 5;
  if (mayRepeat && !isSecondTry) {
    await new Promise((done) => setTimeout(done, 1000 * waitS));
    return ask(path, body, true);
  }
  throw Object.assign(new Error(`${path}: ${response.status}`), { status: response.status });
}

/** What to do with a sign-up. `confirm`: let the person in after one more step, for example a code by mail. */
export async function judgeSignUp(email, ip) {
  try {
    const [mailbox, address] = await Promise.all([
      ask("/api/email-reputation", { email }),
      ask("/api/check-ip?view=verdict", { ip }),
    ]);
    if (!mailbox.is_valid_format) return ["refuse", "This is not an e-mail address"];
    if (mailbox.should_block) return ["refuse", "Please use another e-mail address"];
    const { verdict } = address.risk_score;
    if (verdict === "critical") return ["refuse", "Sign-up is not possible from this network"];
    // Too few engines answered to say clean: neither a reason to refuse nor one to trust.
    if (["unknown", "high", "elevated"].includes(verdict)) return ["confirm", `address: ${verdict}`];
    return ["allow", "nothing speaks against it"];
  } catch (error) {
    if (error.status === 422) return ["refuse", "The e-mail address or the IP address is not valid"];
    // 402: no credits left, 401 and 403: the key. These need a person, the visitor need not wait for one.
    if ([401, 402, 403].includes(error.status)) console.error(`Reputation is switched off: ${error.message}`);
    return ["confirm", `no answer: ${error.message}`];
  }
}

const [email, ip] = process.argv.slice(2);
console.log((await judgeSignUp(email, ip)).join(": "));
