import { type FirstAccount, firstCall } from "../app/first-account.ts";
import type { CliContext } from "./command.ts";
import { labelled } from "./table.ts";

/** What the first start says to a person at a terminal. */
export type Welcome = {
  /** Writes a line of the log. */
  readonly writeLog: (line: string) => void;
  /** Shows it once the data is ready and the log has settled. */
  readonly announce: (first: FirstAccount, ready: Promise<void>) => void;
  /** Shows at once what still waits: the key must not be lost. */
  readonly show: () => void;
};

const LOOK_EVERY_MS = 100;
/** So long without a line the log has settled. */
const QUIET_MS = 1500;
/** Lists that are downloaded may keep it busy for minutes. */
const MAX_SETTLING_MS = 15_000;
const MAX_PREPARING_MS = 120_000;

/** One framed block in place of lines that the log would hide. */
export function createWelcome(
  context: Pick<CliContext, "clock" | "print" | "printJsonPiece" | "style" | "terminal">,
): Welcome {
  const { clock, print, printJsonPiece } = context;
  let waiting: FirstAccount | null = null;
  let loggedMs = clock.monotonicMs();
  const show = () => {
    const first = waiting;
    waiting = null;
    if (first !== null) print(welcomeText(first, context));
  };
  const settle = async (ready: Promise<void>): Promise<void> => {
    await Promise.race([ready.catch(() => undefined), clock.sleep(MAX_PREPARING_MS)]);
    const readyMs = clock.monotonicMs();
    // What is ready is logged a moment later, however long the log was quiet before.
    const isBusy = (nowMs: number) =>
      nowMs - Math.max(loggedMs, readyMs) < QUIET_MS && nowMs - readyMs < MAX_SETTLING_MS;
    while (isBusy(clock.monotonicMs())) await clock.sleep(LOOK_EVERY_MS);
  };
  return {
    writeLog: (line) => {
      loggedMs = clock.monotonicMs();
      printJsonPiece(line);
    },
    announce: (first, ready) => {
      waiting = first;
      void settle(ready).then(show);
    },
    show,
  };
}

/** Rules above and below alone: what stands between them is copied without a frame's bars. */
function welcomeText(
  first: FirstAccount,
  { style, terminal }: Pick<CliContext, "style" | "terminal">,
): string {
  const rule = terminal?.hasUtf8 === true ? "─" : "-";
  const title = `${rule.repeat(2)} Repute is running `;
  const { address, email, key, link } = first;
  const rows = [
    ["Address", `${address}/app`],
    ["Account", email],
    ["API key", key],
    ["", "shown this once: store it now"],
  ] as const;
  return [
    "",
    style.bold(title + rule.repeat(style.width - title.length)),
    labelled(rows),
    "",
    style.bold("Set the password, once, within an hour:"),
    link,
    style.dim(`later: repute account reset-password ${email}`),
    "",
    style.bold("Try it:"),
    firstCall(first).join(" \\\n  "),
    style.bold(rule.repeat(style.width)),
    "",
  ].join("\n");
}
