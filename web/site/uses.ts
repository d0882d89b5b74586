import comments from "./programs/comments.php?raw";
import mail from "./programs/mail.py?raw";
import siem from "./programs/siem.py?raw";
import signUp from "./programs/sign-up.mjs?raw";

type Use = {
  readonly title: string;
  readonly lead: string;
  /** What is asked, and what is done with the answer. */
  readonly steps: readonly string[];
  readonly language: string;
  readonly program: string;
  readonly run: string;
  /** What the program does when there is no plain answer. */
  readonly failures: readonly (readonly [what: string, does: string])[];
  /** Credits for one decision, in words. */
  readonly price: string;
};

const KEY_FAULTS = "The key or the balance needs a person. Have your log watched for it.";

/** The uses of the guide, by the last part of their address. */
export const USES: Readonly<Record<"sign-up" | "comments" | "mail" | "siem", Use>> = {
  "sign-up": {
    title: "Sign-up gate",
    lead: "Refuse throwaway mailboxes and attackers at sign-up, and ask doubtful visitors for one more step.",
    steps: [
      "Ask `/api/email-reputation` for the e-mail address and `/api/check-ip` for the visitor's IP address, both at once.",
      "Refuse where `should_block` is true or the verdict of the IP address is `critical`.",
      "Ask for one more step, such as a code by mail, where the verdict is `elevated`, `high` or `unknown`.",
    ],
    language: "Node",
    program: signUp,
    run: "node sign-up.mjs jane@example.com 8.8.8.8",
    failures: [
      ["422", "The value is not valid: refuse, and show the person what is wrong."],
      ["429, 503", "Wait for Retry-After once, where it is short; then ask for one more step."],
      ["401, 402, 403", `Ask for one more step. ${KEY_FAULTS}`],
      ["500, no answer", "Ask for one more step: no visitor is turned away by a fault of ours."],
      ["verdict unknown", "Ask for one more step: too few engines answered, which is not the same as clean."],
    ],
    price: "One call of each product for a sign-up.",
  },
  comments: {
    title: "Comment form",
    lead: "Publish, hold or reject a comment by who sends it and where its links lead.",
    steps: [
      "Ask `/api/check-ip` for the sender's address, and `/api/domain-reputation` for the host of each link, five at most.",
      "Reject where a verdict is `high` or `critical`.",
      "Hold for a moderator where one is `elevated` or `unknown`; publish the rest.",
    ],
    language: "PHP",
    program: comments,
    run: "php comments.php 8.8.8.8 'See https://example.com/'",
    failures: [
      ["422", "Hold: the link or the address is not valid."],
      ["429, 503", "Wait for Retry-After once, where it is short; then hold."],
      ["401, 402, 403", `Hold. ${KEY_FAULTS}`],
      ["500, no answer", "Hold: the comment waits and is not lost."],
      ["verdict unknown", "Hold: a moderator looks at it."],
    ],
    price: "One IP check for a comment, and one domain check for each host that it links to.",
  },
  mail: {
    title: "Mail gateway",
    lead: "A policy server for Postfix that rejects mail from abusive addresses and marks what is doubtful.",
    steps: [
      "Postfix hands over the client's address before it takes the mail.",
      "The program asks `/api/check-ip` and answers with an action: reject at `critical`, try again later at `high`.",
      "At `elevated` or `unknown` the mail passes with a header `X-Reputation`, for the filter behind.",
    ],
    language: "Python",
    program: mail,
    run: "printf 'client_address=8.8.8.8\\n\\n' | python3 mail.py",
    failures: [
      [
        "422",
        "The mail goes on to the other checks: a client without a usable address, such as a local socket.",
      ],
      [
        "429, 503",
        "The mail goes on to the other checks. It must not wait; raise the plan if the log shows this often.",
      ],
      ["401, 402, 403", `The mail goes on to the other checks. ${KEY_FAULTS}`],
      ["500, no answer", "The mail goes on after ten seconds at most."],
      ["verdict unknown", "The mail passes, marked."],
    ],
    price:
      "One IP check for a mail. Exports and the DNS zone files cost nothing for each mail: see docs/exports.md.",
  },
  siem: {
    title: "SIEM",
    lead: "Add score and verdict to every event of a stream, a hundred addresses in one call.",
    steps: [
      "Collect up to a hundred events and ask `/api/bulk/check-ip` for their addresses, each once.",
      "Write each event with `reputation` added: score and verdict.",
      "Keep `unknown` as it is in your rules: it is neither clean nor guilty.",
    ],
    language: "Python",
    program: siem,
    run: 'echo \'{"source_ip":"8.8.8.8"}\' | python3 siem.py source_ip',
    failures: [
      [
        "422",
        "The event goes on with reputation_error. A single bad address is an item with an error, not a 422.",
      ],
      ["429, 503", "Wait for Retry-After, five tries; then the events go on with reputation_error."],
      ["401, 402, 403", `The events go on with reputation_error. ${KEY_FAULTS}`],
      [
        "500, no answer",
        "No answer is tried five times, a 500 is not; then the events go on with reputation_error.",
      ],
      ["verdict unknown", "It stays in the event as it is."],
    ],
    price: "One IP check for each address of a batch, of those that fail too.",
  },
};
