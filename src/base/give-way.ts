import { constants, getPriority, setPriority } from "node:os";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/** How far a process steps back: something waits for what it makes, or nothing does. */
const PRIORITIES = { somewhat: PRIORITY_BELOW_NORMAL, wholly: PRIORITY_LOW } as const;

/** Lets other processes go before `pid`. One that steps back further already stays as it is. */
export function giveWay(pid: number, howFar: keyof typeof PRIORITIES): void {
  try {
    if (getPriority(pid) < PRIORITIES[howFar]) setPriority(pid, PRIORITIES[howFar]);
  } catch (error) {
    // It has ended already, or the system forbids it: then it works as fast as all others.
    if (!(error instanceof Error)) throw error;
  }
}
