const FEW = 3;

/** Whether so few recovery codes are left that new ones should be made. */
export const areFew = (left: number): boolean => left <= FEW;
