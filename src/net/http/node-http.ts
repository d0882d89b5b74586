/**
 * `node:http` without its face for `import`: making that reads every export, and one of them loads the whole of undici
 * at every start, which is not used here.
 */
export const { createServer, request } = process.getBuiltinModule("node:http");
