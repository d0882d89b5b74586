/** A number with its noun: "1 engine", "52 engines". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A number of whole days before now: "5 days ago", and of none "less than a day ago". */
export const daysAgo = (days: number): string =>
  days === 0 ? "less than a day ago" : `${counted(days, "day")} ago`;
