import { constants, setPriority } from "node:os";

/**
 * Leaves the processors to the service and to the paying account's callers. Strangers have machines of their own: what they spend
 * there takes nothing from the service's.
 */
export const giveWay = (): void => setPriority(constants.priority.PRIORITY_LOW);
