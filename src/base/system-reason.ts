const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a file stands where a folder is needed",
  EEXIST: "a file stands where a folder is needed",
  EISDIR: "a folder stands where a file is needed",
  ENOENT: "there is no such file or folder",
  ECONNREFUSED: "connection refused",
  ETIMEDOUT: "it did not answer",
  EADDRINUSE: "the port is taken",
  EADDRNOTAVAIL: "this machine does not have the address",
};

/** What a code of the system means, for the end of a sentence; null of one that has no words here. */
export const systemReason = (code: string): string | null => REASONS[code] ?? null;
