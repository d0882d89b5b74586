const articleOf = (kind: string): string => (/^[aei]|^IP|^AS/.test(kind) ? "an" : "a");

/** A sentence about a text that was recognised. */
export const looksLike = (kind: string): string => `Looks like ${articleOf(kind)} ${kind}.`;
